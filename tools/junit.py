"""Test results as JUnit XML, which build servers read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

from kernel.testing import TestResult
from tools.output import printable


def junit(suites: Mapping[str, Iterable[TestResult]]) -> str:
    """The results of some packages: a suite for each, a test case for each test."""
    root = ElementTree.Element("testsuites")
    for name, results in suites.items():
        results = list(results)
        suite = ElementTree.SubElement(root, "testsuite", name=printable(name), tests=str(len(results)))
        suite.set("failures", str(sum(each.status == "failed" for each in results)))
        suite.set("errors", str(sum(each.status == "error" for each in results)))
        suite.set("time", f"{sum(each.seconds for each in results):.3f}")
        for each in results:
            _case(suite, each)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ElementTree.Element, result: TestResult) -> None:
    path, line = result.place.rsplit(":", 2)[0], result.place.rsplit(":", 2)[1]
    name = printable(f"{result.case} {result.name}" if result.name != result.case else result.case)
    case = ElementTree.SubElement(suite, "testcase", name=name, classname=printable(path), file=printable(path), line=line)
    case.set("time", f"{result.seconds:.3f}")
    if result.status != "passed":
        word = "failure" if result.status == "failed" else "error"
        first = printable(result.message.split("\n", 1)[0])
        ElementTree.SubElement(case, word, message=first).text = printable(result.message)
