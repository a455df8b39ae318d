"""SQL function `write_candidate`: the text that a system writes for an instruction."""

from towbench.udfs.reply import Asked, Settled, Verdict

NAME = "write_candidate"
REPLY = "text"


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """Plain text is its own verdict."""
    return True


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{"text": …}`, as written but without the system's thoughts; an empty one is no reply."""
    return Settled({"text": verdict.fields["text"]}, None)
