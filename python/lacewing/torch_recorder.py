"""Records PyTorch programs: layers, gradients, parameters, optimizers, losses, batches, and the
order of the calls that make up training.

Nothing is stored in the program's objects (a model may be pickled) and nothing draws random
numbers. Classes of torch get wrapped methods; modules are seen through torch's global hooks.
Full backward hooks are not used: they change programs that work in place.
"""
import functools
import time
import weakref

from lacewing.attach import quietly
from lacewing.native import DTYPES, Batch
from lacewing.recorder import SAMPLE, Recorder, place, settings

TRAINING, GRAD, AUTOCAST = 1, 2, 4  # bits of the event "forward"


def attach(torch):
    TorchRecorder(torch, Recorder(**settings())).install()


class Layer:
    """A module of a model: its name, and arrays for its output and the gradient of it."""
    __slots__ = ("ref", "name", "path", "line", "output", "gradient")

    def __init__(self, module, name, path, line):
        self.ref = weakref.ref(module)
        self.name, self.path, self.line = name, path, line
        self.output = self.gradient = None


class Held:
    """The parameters of an optimizer, with arrays for their values, gradients and updates."""

    def __init__(self, parameters, names, trace):
        self.parameters = parameters
        self.key = tuple(map(id, parameters))
        ids = [[trace.id(role, name, name.rpartition(".")[0]) for name in names]
               for role in ("weight", "update", "gradient")]
        self.weights, self.updates = Batch(ids[0]), Batch(ids[1])
        self.gradient_ids = ids[2]


class TorchRecorder:
    def __init__(self, torch, recorder):
        self.torch, self.recorder = torch, recorder
        self.dtypes = {getattr(torch, name): number for name, number in DTYPES.items()}
        self.layers = {}  # id of a module -> Layer
        self.places = {}  # id of a module or optimizer -> (weak reference, path, line)
        self.parameter_names = {}  # id of a parameter -> (weak reference, name)
        self.roots = []  # weak references to the models, in the order they were first called
        self.optimizers = []  # weak references
        self.held = {}  # id of an optimizer -> Held
        self.loss_names = {}
        self.rates = {}  # name of a setting -> its last value
        self.inside = []  # ids of the modules whose forward() is running
        self.in_train = self.in_step = 0
        self.forward_hook = None

    # ---- Attaching --------------------------------------------------------------------------

    def install(self):
        torch = self.torch
        module = torch.nn.modules.module
        self._after(torch.nn.Module, "__init__", self.made)
        module.register_module_forward_pre_hook(quietly(self.before_forward))
        self.watch_outputs(True)
        self._around_train()
        self._after(torch.optim.Optimizer, "__init__", self.made_optimizer)
        self._before(torch.optim.Optimizer, "zero_grad", lambda o, *a, **k: self.recorder.event("zero_grad"))
        self._before(torch.nn.Module, "zero_grad", lambda m, *a, **k: self.recorder.event("zero_grad"))
        self._before(torch.Tensor, "backward", self.on_backward)
        for name in ("clip_grad_norm_", "clip_grad_value_"):
            for owner in (torch.nn.utils, torch.nn.utils.clip_grad):
                self._before(owner, name, lambda *a, **k: self.recorder.event("clip"))
        schedulers = torch.optim.lr_scheduler
        for name in ("LRScheduler", "_LRScheduler", "ReduceLROnPlateau"):
            if "step" in vars(getattr(schedulers, name, object)):
                self._before(getattr(schedulers, name), "step", lambda *a, **k: self.recorder.event("scheduler"))
        scaler = getattr(getattr(torch.cuda, "amp", None), "GradScaler", None)
        for name in ("scale", "unscale_", "step", "update"):
            if scaler is not None:
                self._before(scaler, name, lambda *a, name=name, **k: self.recorder.event(f"scaler.{name}"))
        self._after_batch(torch.utils.data.dataloader._BaseDataLoaderIter)
        self._after(torch.utils.data.DataLoader, "__init__", self.made_loader)
        self.recorder.fact("framework", {"name": "torch", "version": torch.__version__})
        self.recorder.fact("seed", str(torch.initial_seed()))  # may be beyond what JSON readers take

    def _before(self, owner, name, notice):
        original, notice = getattr(owner, name), quietly(notice)
        if getattr(original, "_lacewing", False):
            return

        @functools.wraps(original)
        def wrapped(*arguments, **named):
            notice(*arguments, **named)
            return original(*arguments, **named)
        wrapped._lacewing = True
        setattr(owner, name, wrapped)

    def _after(self, owner, name, notice):
        original, notice = getattr(owner, name), quietly(notice)

        @functools.wraps(original)
        def wrapped(self, *arguments, **named):
            result = original(self, *arguments, **named)
            notice(self)
            return result
        setattr(owner, name, wrapped)

    def _after_batch(self, iterator):
        original, notice = iterator.__next__, quietly(self.on_batch)

        @functools.wraps(original)
        def wrapped(self):
            batch = original(self)
            notice(self, batch)
            return batch
        iterator.__next__ = iterator.next = wrapped

    def _around_train(self):
        """Module.train() calls itself for each child: only the outermost call is the program's."""
        original, notice = self.torch.nn.Module.train, quietly(self.on_train)
        recorder = self

        @functools.wraps(original)
        def train(self, mode=True):
            if recorder.in_train == 0:
                notice(self, mode)
            recorder.in_train += 1
            try:
                return original(self, mode)
            finally:
                recorder.in_train -= 1
        self.torch.nn.Module.train = train

    def watch_outputs(self, on):
        """Outputs are looked at in steps that are recorded in full; in others the hook is gone."""
        if on and self.forward_hook is None:
            self.forward_hook = self.torch.nn.modules.module.register_module_forward_hook(quietly(self.after_forward))
        elif not on and self.forward_hook is not None:
            self.forward_hook.remove()
            self.forward_hook = None

    # ---- Where things are made --------------------------------------------------------------

    def made(self, thing):
        if id(thing) not in self.places or self.places[id(thing)][0]() is not thing:
            path, line = place(2)
            key = id(thing)
            self.places[key] = (weakref.ref(thing, lambda _: self.places.pop(key, None)), path, line)

    def place_of(self, thing):
        found = self.places.get(id(thing))
        return found[1:] if found and found[0]() is thing else ("", 0)

    def made_optimizer(self, optimizer):
        self.made(optimizer)
        self.optimizers.append(weakref.ref(optimizer))
        for cls in type(optimizer).__mro__:
            if "step" in vars(cls) and cls is not self.torch.optim.Optimizer:
                self._around_step(cls)
        path, line = self.place_of(optimizer)
        groups = [{k: v for k, v in g.items() if k != "params"} | {"parameters": len(g["params"])}
                  for g in optimizer.param_groups]
        self.recorder.fact(f"optimizer{len(self.optimizers)}",
                           {"class": type(optimizer).__name__, "path": path, "line": line, "groups": groups})

    def made_loader(self, loader):
        path, line = place(2)
        dataset = loader.dataset
        self.recorder.fact(f"loader {path}:{line}", {
            "batch_size": loader.batch_size, "sampler": type(loader.sampler).__name__, "workers": loader.num_workers,
            "drop_last": loader.drop_last, "dataset": type(dataset).__name__,
            "samples": len(dataset) if hasattr(dataset, "__len__") else None})

    # ---- The model --------------------------------------------------------------------------

    def before_forward(self, module, inputs):
        if not self.inside:
            self.on_model_call(module, inputs)
        if self.recorder.recording:
            self.inside.append(id(module))

    def on_model_call(self, module, inputs):
        layer = self.layers.get(id(module))
        if layer is None or layer.ref() is not module:
            if next(module.parameters(), None) is None:
                return  # a loss or a function: not a model
            self.know_model(module)
            layer = self.layers[id(module)]
        torch = self.torch
        flags = TRAINING * module.training | GRAD * torch.is_grad_enabled() | AUTOCAST * torch.is_autocast_enabled()
        if not self.recorder.ready():
            return
        self.recorder.event("forward", self.recorder.trace.id("output", layer.name or "(model)", layer.name), flags)
        if self.recorder.recording:
            self.inside = []
            self.record_one("input", f"{layer.name or 'model'} input", next(self.tensors_in(inputs), None))

    def know_model(self, model):
        prefix = "" if not self.roots else f"{type(model).__name__}{len(self.roots) + 1}."
        self.roots.append(weakref.ref(model))
        layers = []
        for name, module in model.named_modules():
            path, line = self.place_of(module)
            whole = (prefix + name).rstrip(".")
            self.layers[id(module)] = Layer(module, whole, path, line)
            layers.append({"name": whole, "class": type(module).__name__, "path": path, "line": line,
                           "parameters": sum(p.numel() for p in module.parameters(recurse=False))})
        for name, parameter in model.named_parameters():
            self.parameter_names[id(parameter)] = (weakref.ref(parameter), prefix + name)
        self.recorder.fact(f"model{len(self.roots)}", {"class": type(model).__name__, "layers": layers})

    def after_forward(self, module, inputs, output):
        begun = time.perf_counter()
        while self.inside and self.inside.pop() != id(module):
            pass
        layer = self.layers.get(id(module))
        if layer is not None and layer.ref() is module and self.recorder.recording and self.recorder.ready():
            tensor = next(self.tensors_in(output), None)
            if tensor is not None:
                self.record_output(layer, tensor)
        self.recorder.spent += time.perf_counter() - begun

    def record_output(self, layer, tensor):
        if layer.output is None:
            ids = [self.recorder.trace.id(role, layer.name or "(model)", layer.name, layer.path, layer.line)
                   for role in ("output", "output-gradient")]
            layer.output, layer.gradient = Batch(ids[:1]), Batch(ids[1:])
        self.put_and_record(layer.output, tensor)
        if tensor.requires_grad:
            tensor.register_hook(quietly(functools.partial(self.record_gradient, layer)))

    def record_gradient(self, layer, gradient):
        begun = time.perf_counter()
        if self.recorder.ready():
            self.put_and_record(layer.gradient, gradient)
        self.recorder.spent += time.perf_counter() - begun

    # ---- Tensors ----------------------------------------------------------------------------

    def tensors_in(self, value):
        if isinstance(value, self.torch.Tensor):
            yield value
        elif isinstance(value, dict):
            for item in value.values():
                yield from self.tensors_in(item)
        elif isinstance(value, (list, tuple)):
            for item in value:
                yield from self.tensors_in(item)

    def on_host(self, tensor):
        """A tensor whose bytes can be read here, in any order of its values; None where there is none.
        On another device the sample is taken there."""
        torch = self.torch
        tensor = tensor.detach()
        if tensor.layout is not torch.strided or tensor.dtype not in self.dtypes or tensor.device.type == "meta":
            return None
        if tensor.device.type != "cpu":
            flat = tensor.reshape(-1)
            return flat[::max(1, flat.numel() // SAMPLE)].cpu()
        if tensor.is_contiguous() or tensor.dim() == 4 and tensor.is_contiguous(memory_format=torch.channels_last):
            return tensor
        return tensor.contiguous()

    def put(self, batch, i, tensor):
        """The tensor in place `i`; what must live until the call is done."""
        here = self.on_host(tensor)
        if here is not None:
            batch.put(i, here.data_ptr(), here.numel(), self.dtypes[here.dtype])
        return here

    def put_and_record(self, batch, tensor):
        here = self.put(batch, 0, tensor)
        if here is not None:
            self.recorder.trace.tensors(batch, self.recorder.step, SAMPLE)

    def record_one(self, role, name, tensor):
        if tensor is not None and self.recorder.ready():
            self.put_and_record(Batch([self.recorder.trace.id(role, name)]), tensor)

    # ---- Training ---------------------------------------------------------------------------

    def on_train(self, module, mode):
        layer = self.layers.get(id(module))
        subject = 0
        if layer is not None and self.recorder.ready():
            subject = self.recorder.trace.id("output", layer.name or "(model)", layer.name)
        self.recorder.event("train" if mode else "eval", subject)

    def on_backward(self, loss, *arguments, **named):
        self.inside = []
        key = place(2)
        name = self.loss_names.get(key)
        if name is None:
            name = "loss" if not self.loss_names else f"loss at line {key[1]}"
            self.loss_names[key] = name
            self.recorder.fact(name, {"path": key[0], "line": key[1]})
        self.recorder.event("backward")
        if loss.numel() == 1 and (loss.device.type == "cpu" or self.recorder.recording):
            self.recorder.point("metric", name, loss.detach().item())

    def on_batch(self, iterator, batch):
        if self.recorder.recording:
            for i, tensor in enumerate(self.tensors_in(batch)):
                self.record_one("target" if i else "input", f"batch[{i}]", tensor)
                if i == 1:
                    break

    def _around_step(self, cls):
        original = vars(cls)["step"]
        if getattr(original, "_lacewing", False):
            return
        before, after = quietly(self.before_step), quietly(self.after_step)
        recorder = self

        @functools.wraps(original)
        def step(self, *arguments, **named):
            if recorder.in_step:  # a subclass calls the step of its base
                return original(self, *arguments, **named)
            recorder.in_step += 1
            try:
                before(self)
                result = original(self, *arguments, **named)
            finally:
                recorder.in_step -= 1
            after(self)
            return result
        step._lacewing = True
        cls.step = step

    def held_by(self, optimizer):
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        held = self.held.get(id(optimizer))
        if held is None or held.key != tuple(map(id, parameters)):
            number = next((i for i, ref in enumerate(self.optimizers) if ref() is optimizer), 0)
            names = [self.name_of(p, f"optimizer{number + 1}.parameter{i}") for i, p in enumerate(parameters)]
            held = self.held[id(optimizer)] = Held(parameters, names, self.recorder.trace)
        return held

    def name_of(self, parameter, otherwise):
        ref, name = self.parameter_names.get(id(parameter), (lambda: None, otherwise))
        return name if ref() is parameter else otherwise

    def before_step(self, optimizer):
        begun = time.perf_counter()
        recorder = self.recorder
        if not recorder.ready():
            return
        recorder.event("step")
        for i, group in enumerate(optimizer.param_groups):
            self.on_rate(f"lr{i or ''}", group.get("lr"))
        if recorder.recording:
            held = self.held_by(optimizer)
            alive = [self.put(held.updates, i, p) for i, p in enumerate(held.parameters)]
            recorder.trace.remember(held.updates, SAMPLE)
            self.record_gradients(held)
            del alive
        recorder.spent += time.perf_counter() - begun

    def on_rate(self, name, value):
        value = float(value) if isinstance(value, (int, float)) or hasattr(value, "item") else None
        if value is not None and self.rates.get(name) != value:
            self.rates[name] = value
            self.recorder.point("setting", name, value)

    def record_gradients(self, held):
        present = [(number, p.grad) for number, p in zip(held.gradient_ids, held.parameters) if p.grad is not None]
        batch = Batch([number for number, _ in present])
        alive = [self.put(batch, i, gradient) for i, (_, gradient) in enumerate(present)]
        self.recorder.trace.tensors(batch, self.recorder.step, SAMPLE)
        del alive

    def after_step(self, optimizer):
        begun = time.perf_counter()
        recorder = self.recorder
        if recorder.recording and recorder.ready():
            held = self.held_by(optimizer)
            alive = [self.put(held.weights, i, p) for i, p in enumerate(held.parameters)]
            for i in range(held.weights.count):
                held.updates.put(i, held.weights.addresses[i], held.weights.sizes[i], held.weights.dtypes[i])
            recorder.trace.tensors(held.weights, recorder.step, SAMPLE)
            changed = recorder.trace.changes(held.updates, recorder.step)
            recorder.event("unchanged", 0, sum(1 for c in changed if not c))
            del alive
            if recorder.step == 0:
                self.compare_with_models(recorder)
        recorder.end_step()
        self.watch_outputs(recorder.recording)
        recorder.spent += time.perf_counter() - begun

    def compare_with_models(self, recorder):
        """Parameters of the models that no optimizer has."""
        has = {id(p) for ref in self.optimizers if ref() for g in ref().param_groups for p in g["params"]}
        outside = [name for key, (ref, name) in self.parameter_names.items()
                   if ref() is not None and ref().requires_grad and key not in has]
        frozen = [name for ref, name in self.parameter_names.values() if ref() is not None and not ref().requires_grad]
        recorder.fact("parameters", {"outside_optimizer": outside, "frozen": frozen})
