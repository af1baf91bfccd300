"""The base of all models, frozen and without deprecated names, and a quick way to make them.

Modules of many models and named tuples do not postpone their annotations: Python would compile the
text of each when it makes a class.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import FrozenInstanceError
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import (
    ErrorDetails,
    InitErrorDetails,
    PydanticCustomError,
    PydanticSerializationError,
)

from sgf_lark.core import late

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic._internal._model_construction import ModelMetaclass
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema
else:
    ModelMetaclass = type(BaseModel)


_new, _set = object.__new__, object.__setattr__


def _listed(kind: type, names: Iterable[str]) -> list[str]:
    return [
        name
        for name in names
        if name.startswith("_") or not hasattr(getattr(kind, name, None), "__deprecated__")
    ]


class FrozenMeta(ModelMetaclass):
    """Leaves deprecated names of pydantic out of completion, and says errors in our words.

    IPython asks the class for names, too.  A call takes 0.3 microseconds more than pydantic's; what
    is made often is :func:`made`.
    """

    def __dir__(cls) -> list[str]:  # noqa: N805  # of a class of classes
        return _listed(cls, super().__dir__())

    if not TYPE_CHECKING:  # the plugin of pydantic knows the arguments

        def __call__(cls, *args: Any, **values: Any) -> Any:  # noqa: N805  # of a class of classes
            if args and cls.__init__ is BaseModel.__init__:
                names = ", ".join(cls.__pydantic_fields__)
                raise TypeError(f"{cls.__name__} takes its fields by name: {names}")
            try:
                return super().__call__(*args, **values)
            except ValidationError as error:
                raise _in_our_words(error, cls) from None


#: The way to change a record, for errors: of games, nodes, and what is read from them.
EDIT_GAME = "to edit: draft = game.edit(), draft.set(node, 'KM', 6.5), game = draft.done()"


def _in_our_words(error: ValidationError, kind: type[BaseModel]) -> ValidationError:
    """Return an error whose text speaks of fields, without links to the pages of pydantic."""
    lines = [
        InitErrorDetails(
            type=PydanticCustomError(line["type"], "{message}", {"message": _words(line, kind)}),
            loc=line["loc"],
            input=line["input"],
        )
        for line in error.errors(include_url=False, include_context=False)
    ]
    return ValidationError.from_exception_data(error.title, lines)


def _words(line: ErrorDetails, kind: type[BaseModel]) -> str:
    match line["type"]:
        case "extra_forbidden":
            from sgf_lark.core.findings.words import nearest

            near = nearest(str(line["loc"][-1]), kind.model_fields)
            return "there is no such field" + (f"; did you mean '{near[0]}'?" if near else "")
        case "missing":
            return "the field is missing"
        case "tuple_type" | "list_type" if isinstance(line["input"], str):
            return "expected a list of texts, not a single one"
    return line["msg"].removeprefix("Value error, ")


#: A role of our pages, such as ``:class:`.Node```, and its last name; a line of attributes.
_ROLE = re.compile(r":[\w:]+:`[~.]*(?:[\w.]*\.)?([\w]+(?:\(\))?)`")
_ATTRIBUTE = re.compile(r"^ {4}(\S.*?): (.*(?:\n {8}.*)*)", re.MULTILINE)


def read_docstring(kind: type) -> tuple[str, dict[str, str]]:
    """Return what a docstring says of a class, and of each of its attributes and its bases'."""
    attributes: dict[str, str] = {}
    about = ""
    for one in reversed(kind.__mro__):
        if one is BaseModel or not issubclass(one, BaseModel):
            continue
        text = _ROLE.sub(r"\1", cleandoc(one.__doc__ or "")).replace("``", "`")
        about, _, rest = text.partition("\n\nAttributes:\n")
        for names, words in _ATTRIBUTE.findall(rest):
            attributes |= dict.fromkeys(names.split(", "), " ".join(words.split()))
    return about, attributes


class Frozen(BaseModel, metaclass=FrozenMeta):
    """Base of models: nothing in them can be set, and the error names the way to a changed one."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    #: The way to get a changed one, for the error.
    _how_to_change: ClassVar[str] = "to change a copy: model_copy(update={...})"

    def __dir__(self) -> list[str]:
        return _listed(type(self), super().__dir__())

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: "CoreSchema", handler: "GetJsonSchemaHandler"
    ) -> "JsonSchemaValue":
        """Describe the model and its fields by its docstring, without the marks of our pages."""
        found = handler(core_schema)
        described = handler.resolve_ref_schema(found)
        described["description"], attributes = read_docstring(cls)
        for name, field in described.get("properties", {}).items():
            if name in attributes:
                field.setdefault("description", attributes[name])
        return found

    if not TYPE_CHECKING:  # they would hide wrong names from type checkers

        def model_dump_json(self, **options: Any) -> str:
            """Return the model as JSON; the options are those of pydantic.

            Raises:
                UnwritableError: No JSON holds it, or none that can be read back.  It is a
                    ValueError.
            """
            try:
                return super().model_dump_json(**options)
            except PydanticSerializationError:
                raise late.why_no_json(self) from None

        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError as error:
                if not name.startswith("_"):
                    from .other_libraries import answer

                    kinds = (kind.__name__ for kind in type(self).__mro__)
                    error.args = (answer(error, name, *kinds),)
                raise

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in self.__private_attributes__ and self.model_config.get("frozen"):
                self._reject(f"set {name}")
            super().__setattr__(name, value)

        def __delattr__(self, name: str) -> None:
            if name not in self.__private_attributes__ and self.model_config.get("frozen"):
                self._reject(f"delete {name}")
            super().__delattr__(name)

    def _reject(self, action: str) -> NoReturn:
        raise FrozenInstanceError(
            f"cannot {action}: {type(self).__name__} is frozen; {self._how_to_change}"
        )


class Light(Frozen):
    """Base of models of which a game has thousands: each is its ``__dict__`` alone.

    What pydantic keeps beside the fields of each is the same for all that are read, and is in the
    class: a node takes 0.5 microseconds less.  Names with an underscore in the ``__dict__`` are
    no fields.
    """

    if not TYPE_CHECKING:
        __pydantic_extra__ = None
        __pydantic_private__ = None

        @classmethod
        def __pydantic_init_subclass__(cls, **_: Any) -> None:
            cls.__pydantic_fields_set__ = set(cls.__pydantic_fields__)

        def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
            return self.__copy__()


class Late(Frozen):
    """Base of models of which some fields are made, all at once, when somebody asks for one.

    pydantic reads all fields where it reads ``__dict__``, which has them all: dumping, comparing,
    copying and pickling make them first.  Two threads that ask at once may make them twice.
    """

    __slots__ = ("_rest",)
    if TYPE_CHECKING:
        #: Returns the missing fields; not set, or None, if there are none.
        _rest: Callable[[], dict[str, Any]] | None

    def complete_by(self, rest: Callable[[], dict[str, Any]]) -> None:
        _set(self, "_rest", rest)

    if not TYPE_CHECKING:  # it is no other way to an attribute

        def __getattr__(self, name: str) -> Any:
            fields = self.__dict__ if name in type(self).__pydantic_fields__ else {}
            return fields[name] if name in fields else super().__getattr__(name)

        @property
        def __dict__(self) -> dict[str, Any]:
            try:
                rest = _rest_of(self)
            except AttributeError:
                rest = None
            if rest is not None:
                try:
                    fields = _fields_of(self) | rest()
                except AttributeError as error:  # Python would say that there is no ``__dict__``
                    raise RuntimeError(str(error)) from error
                names = [name for name in type(self).__pydantic_fields__ if name in fields]
                in_order = {name: fields.pop(name) for name in names}
                _set(self, "__dict__", in_order | fields)
                _set(self, "_rest", None)  # it may hold all that was read
            return _fields_of(self)

        @__dict__.setter
        def __dict__(self, fields: dict[str, Any]) -> None:
            set_fields(self, fields)


#: The ``__dict__`` of a model as pydantic keeps it, and what makes its missing fields.
_fields_of, set_fields = vars(BaseModel)["__dict__"].__get__, vars(BaseModel)["__dict__"].__set__
_rest_of = vars(Late)["_rest"].__get__


class Model(Frozen):
    """Base of the values that have parts.

    Attributes:
        kind: The name of its class in JSON.
    """


M = TypeVar("M", bound=BaseModel)

#: What pydantic keeps beside the fields: set by name, a model takes half as long again.
_set_given, _set_extra, _set_private = [
    vars(BaseModel)[f"__pydantic_{name}__"].__set__ for name in ("fields_set", "extra", "private")
]


def made(
    model: type[M], parts: dict[str, Any], given: set[str], private: dict[str, Any] | None = None
) -> M:
    """Return a model of parts that are of their types: pydantic does not check them again.

    It equals in every way what the constructor makes, in 0.25 microseconds instead of 0.8 (pairs)
    to 1.4 (rectangles); ``model_construct`` takes 1.6.

    Args:
        parts: All fields in their order, defaults included; late ones may be missing.
        given: The names of those that are not left to their defaults; never changed.
    """
    value = _new(model)
    set_fields(value, parts)
    _set_given(value, given)
    _set_extra(value, None)
    _set_private(value, private)
    return value


def maker(model: type[M], *given: str) -> Callable[..., M]:
    """Return a function from the parts of some fields to a model; others have their defaults."""
    defaults = {name: field.default for name, field in model.model_fields.items()}
    parts = [f"{name!r}: {name if name in given else f'defaults[{name!r}]'}" for name in defaults]
    text = f"lambda {', '.join(given)}: made(model, {{{', '.join(parts)}}}, names)"
    known = {"made": made, "model": model, "defaults": defaults, "names": set(given)}
    make: Callable[..., M] = eval(text, known)  # noqa: S307  # of names of fields alone
    return make
