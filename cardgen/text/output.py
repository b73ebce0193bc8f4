"""How templates print: the one place where what a template writes is counted, made text and escaped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame


class CountingGenerator(CodeGenerator):
    """Generates Python that prints through the environment: its methods `escaped`, `unescaped` and `stated`.

    The letters that stand in the template itself are counted with the first value printed beside them, so that they
    cost no call of their own. Nothing but these letters is worked out while compiling.
    """

    _beside = 0

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802, the name is Jinja's
        """One stretch of output."""
        self._beside = sum(len(child.data) for child in node.nodes if isinstance(child, nodes.TemplateData))
        self._only_text = all(isinstance(child, nodes.TemplateData) for child in node.nodes)
        super().visit_Output(node, frame)

    def _make_finalize(self) -> CodeGenerator._FinalizeInfo:
        return self._FinalizeInfo(None, None)

    def _output_const_repr(self, group: Iterable[Any]) -> str:
        text = "".join(str(part) for part in group)
        return f"environment.stated({text!r})" if self._only_text else repr(text)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.volatile:
            self.write("(environment.escaped if context.eval_ctx.autoescape else environment.unescaped)(")
        else:
            self.write("environment.escaped(" if frame.eval_ctx.autoescape else "environment.unescaped(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        self.write(f", {self._beside})" if self._beside else ")")
        self._beside = 0
