"""A kernel that generate.py writes, and the launch of it, as record.py would have recorded it."""
import dataclasses
import random

FLOATS = {'fp16': ('float16', 2), 'bf16': ('bfloat16', 2), 'fp32': ('float32', 4), 'fp8e4nv': ('float8_e4m3fn', 1)}
INTEGERS = {'i8': ('int8', 1), 'u8': ('uint8', 1), 'i32': ('int32', 4), 'i64': ('int64', 8)}


@dataclasses.dataclass
class Program:
    """The text of one kernel with its arguments. `traits` says in a few words what was drawn."""

    family: str
    traits: list
    body: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    storages: list = dataclasses.field(default_factory=list)
    grid: tuple = (1, 1, 1)
    num_warps: int = 4
    num_stages: int = 3

    def floats(self, name, kind, elements, deviation=1.0, mean=0.0, positive=False):
        """A pointer to random floats."""
        dtype, size = FLOATS[kind]
        return self._pointer(name, kind, {'bytes': elements * size, 'dtype': dtype, 'mean': mean, 'deviation': deviation, 'least': 0.0 if positive else -5.0})

    def written(self, name, kind, elements):
        """A pointer to floats that the kernel writes."""
        dtype, size = FLOATS[kind]
        return self._pointer(name, kind, {'bytes': elements * size, 'dtype': dtype})

    def integers(self, name, kind, elements, least, greatest):
        """A pointer to random integers of a range."""
        dtype, size = INTEGERS[kind]
        return self._pointer(name, kind, {'bytes': elements * size, 'dtype': dtype, 'least': least, 'greatest': greatest})

    def _pointer(self, name, kind, storage):
        self.storages.append(storage)
        self.arguments.append({'name': name, 'type': '*' + kind, 'multiple': 16, 'storage': len(self.storages) - 1, 'offset': 0})
        return name

    def size(self, name, value):
        """A 32-bit integer; that it is a multiple of 16 or one is known as Triton's launcher knows it."""
        if value == 1:
            self.constant(name, 1)
        else:
            self.arguments.append({'name': name, 'type': 'i32', 'value': value} | ({'multiple': 16} if value % 16 == 0 else {}))
        return name

    def number(self, name, value):
        self.arguments.append({'name': name, 'type': 'fp32', 'value': value})
        return name

    def constant(self, name, value):
        self.arguments.append({'name': name, 'type': 'constexpr', 'constant': repr(value)})
        return name

    def add(self, text, depth=1):
        """Lines of the kernel's body; empty lines are left out."""
        self.body += ['    ' * depth + line for line in text.strip('\n').split('\n') if line.strip()]

    def source(self, name):
        parameters = ', '.join(each['name'] + (': tl.constexpr' if each['type'] == 'constexpr' else '') for each in self.arguments)
        return '\n'.join(['import triton', 'import triton.language as tl', '', '', f'# {self.family}: {", ".join(self.traits)}', '@triton.jit', f'def {name}({parameters}):', *self.body, ''])


class Draw(random.Random):
    """Random choices of which some are more usual than others."""

    def often(self, usual, *others, share=0.5):
        """The usual choice with probability `share`, else one of the others."""
        return usual if self.random() < share else self.choice(others)

    def likely(self, probability):
        return self.random() < probability
