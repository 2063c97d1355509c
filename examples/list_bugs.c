/*
 * list_bugs - the smallest program that uses liblacewing.
 *
 *     cc list_bugs.c $(pkg-config --cflags --libs lacewing) -o list_bugs
 */
#include <stdio.h>

#include <lacewing.h>

int main(void)
{
    printf("liblacewing %s\n", lw_version());
    return 0;
}
