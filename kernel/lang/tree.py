"""The syntax tree: small frozen nodes, each with its span.

Two trees are equal when they say the same thing: spans do not count. Names are `Word`s (strings with a span).
"""

from __future__ import annotations

from kernel.lang.nodes.base import *  # noqa: F403
from kernel.lang.nodes.decisions import *  # noqa: F403
from kernel.lang.nodes.expressions import *  # noqa: F403
from kernel.lang.nodes.overlays import *  # noqa: F403
from kernel.lang.nodes.questions import *  # noqa: F403
from kernel.lang.nodes.scripts import *  # noqa: F403
from kernel.lang.nodes.statements import *  # noqa: F403
from kernel.lang.nodes.tests import *  # noqa: F403
from kernel.lang.nodes.things import *  # noqa: F403
from kernel.lang.nodes.types import *  # noqa: F403
