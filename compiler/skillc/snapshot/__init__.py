"""The contexts that authors keep as files: taken anew, held against what is kept, told where they differ (SPEC 15.4).

`skillc snapshot` and the pytest plugin both are thin borders of this room, so that they agree on every file.
"""
