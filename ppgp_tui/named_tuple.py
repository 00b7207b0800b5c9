"""`typing.NamedTuple`, quick to make: for the values of which a start needs a hundred kinds.

typing compiles the text of every annotation when it makes a class, and nobody here ever looks at
what comes of it; that took a fifth of the time in which the program itself is imported. The type
checker sees typing's own. Generic ones need that at run time too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Maker(type):
        """Makes a named tuple of the fields that a class body annotates."""

        def __new__(cls, name, bases, members):
            if not bases:
                return super().__new__(cls, name, bases, members)
            fields = members.pop("__annotations__", {})
            defaults = [members.pop(field) for field in fields if field in members]
            made = namedtuple(name, fields, defaults=defaults, module=members["__module__"])
            made.__annotations__ = made.__new__.__annotations__ = fields
            for member, value in members.items():
                setattr(made, member, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """What a class of fields derives from."""
