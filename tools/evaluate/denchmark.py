"""Reports of the Denchmark repository (RosePasta/Denchmark_BRs) by project and number."""
import subprocess
import xml.etree.ElementTree as ET


def paths(git):
    """Project and number to the path of the report in the repository."""
    listed = subprocess.run(["git", "-C", git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True, check=True)
    found = {}
    for path in listed.stdout.split("\n"):
        if "/final_dataset/full/" in path and path.endswith(".xml"):
            project, name = path.split("/")[-2:]
            found[project.lower(), name[:-4]] = path
    return found


def text(git, path):
    """Summary and description."""
    body = subprocess.run(["git", "-C", git, "show", "HEAD:" + path], capture_output=True, check=True).stdout
    root = ET.fromstring(body)
    return [(e.text or "") if e is not None else "" for e in (root.find(".//summary"), root.find(".//description"))]
