"""The plan format `skillc.plan/1`: its types, its bytes, and the labels of tags. Knows no stage.

Light on purpose: this is on the path of every runtime start.
"""
