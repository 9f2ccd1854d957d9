"""Constants: stuttering answers."""

from physics.constants.kinds import Constant, datasheet

_H100 = "NVIDIA H100 SXM datasheet (2022), half precision without sparsity"
_LLAMA_3 = "The Llama 3 Herd of Models, 2024, and its published configuration"
_MESSAGE = "assumed: the lesson's message"

STUTTER_MEMORY = datasheet(80e9, "B", "memory of the GPU that writes answers", _H100)
STUTTER_BANDWIDTH = datasheet(3.35e12, "B/s", "bandwidth of its memory", _H100, low=2.0e12, high=8.0e12)
STUTTER_COMPUTE = datasheet(989e12, "1/s", "its arithmetic rate", _H100)
STUTTER_PARAMETERS = datasheet(8.03e9, "1", "parameters of the model, Llama 3 8B", _LLAMA_3)
STUTTER_LAYERS = datasheet(32, "1", "its layers", _LLAMA_3)
STUTTER_KV_HEADS = datasheet(8, "1", "its heads of keys and values, shared by groups of queries", _LLAMA_3)
STUTTER_HEAD_SIZE = datasheet(128, "1", "values of one of its heads", _LLAMA_3)
STUTTER_RATE = Constant(8, "1/s", "requests that arrive per second", _MESSAGE, symbol="λ", low=1, high=20, step=0.5)
STUTTER_PROMPT = Constant(4000, "1", "tokens of a prompt", _MESSAGE, low=500, high=8000, step=500)
STUTTER_ANSWER = Constant(200, "1", "tokens of an answer",
    "assumed: with 250 the GPU of the message is near its limit, and its times hang on chance", low=50, high=400, step=50)
STUTTER_GPUS = Constant(1, "1", "GPUs that share the requests in turn", _MESSAGE, low=1, high=8)
STUTTER_PIECE = Constant(512, "1", "tokens of a step where prompts are cut",
    "chosen: above the 295 tokens that take as long as reading the weights", low=128, high=4096)
STUTTER_REQUESTS = Constant(800, "1", "requests of a simulated run", "chosen: a knob turn still answers at once")
STUTTER_SKIPPED = Constant(100, "1", "first requests of a run that are left out of its means",
    "chosen: the run starts with an idle GPU")
STUTTER_PAUSE_TARGET = Constant(0.025, "s", "longest stop of an answer that the challenge allows, mean over answers",
    "chosen for the lesson")
STUTTER_FIRST_TARGET = Constant(0.150, "s", "time to the first token that the challenge allows, mean over answers",
    "chosen for the lesson")
STUTTER_POOL = Constant(5, "1", "GPUs that are divided between prompts and answers, in the lesson's part",
    "chosen for the lesson")
STUTTER_PROMPT_GPUS = Constant(3, "1", "GPUs of these that only compute prompts", "chosen for the lesson", low=1, high=4)
STUTTER_LINK = Constant(50e9, "B/s", "rate at which caches move from one GPU to another",
    "assumed: a network of 400 Gbit/s for each GPU")
