"""Which jobs read and write which datasets, at any moment: `lineage graph`."""

from lineage_core.answers.graph.graph import BOTH, DEPTH, MOST_NODES, graph_of
from lineage_core.answers.graph.model import Edge, EdgeKind, Graph, Node, NodeKind, Root
from lineage_core.answers.graph.walking import Direction

__all__ = [
    "BOTH",
    "DEPTH",
    "MOST_NODES",
    "Direction",
    "Edge",
    "EdgeKind",
    "Graph",
    "Node",
    "NodeKind",
    "Root",
    "graph_of",
]
