async def f(s):
    async with s as t:
        async for u in t:
            await u
            yield u
    assert t, s
    return
