"""MLPerf Storage: published workloads and results, retyped to hold the input pipeline's model against the field.

Sources: MLCommons, MLPerf Storage v1.0 (2024), workload files, the same in v2.0 (2025) for these workloads; its results
(2024), closed division, DDN AI400X2T with H100s: first run's summary.json.
"""

from dataclasses import dataclass

from physics import constants as c
from physics.dataloading.pipeline import demand


@dataclass(frozen=True)
class Workload:
    """One training workload of the benchmark on one kind of accelerator."""

    name: str  #: model and accelerator
    sample_size: float  #: c, mean bytes of a sample [B]
    batch_size: int  #: B, samples per accelerator and step [1]
    compute_time: float  #: T_c, time one step computes [s]
    required_utilization: float  #: AU below which the benchmark does not count a run [1]

    @property
    def demand(self) -> float:
        """Bytes per second of one accelerator that never waits: it follows from its definition [B/s]."""
        return demand(self.batch_size, self.sample_size, self.compute_time)


@dataclass(frozen=True)
class Result:
    """One measured run: the model turns its published utilization into samples/s, to compare with those published."""

    workload: Workload
    accelerators: int  #: N, emulated accelerators [1]
    utilization: float  #: AU, as the benchmark measured and published it [1]
    published_rate: float  #: samples/s over all accelerators, as published [1/s]

    @property
    def model_rate(self) -> float:
        """AU N B ÷ T_c, the samples/s that go with this utilization in the model [1/s]."""
        return self.utilization * self.accelerators * self.workload.batch_size / self.workload.compute_time

    @property
    def miss(self) -> float:
        """Model ÷ published − 1 [1]."""
        return self.model_rate / self.published_rate - 1


_UNET3D = (c.UNET3D_SAMPLE_SIZE, int(c.UNET3D_BATCH_SIZE))
_RESNET50 = (c.RESNET50_SAMPLE_SIZE, int(c.RESNET50_BATCH_SIZE))
_COSMOFLOW = (c.COSMOFLOW_SAMPLE_SIZE, int(c.COSMOFLOW_BATCH_SIZE))

WORKLOADS = (
    Workload("UNet3D on H100", *_UNET3D, c.UNET3D_COMPUTE_H100, 0.9),
    Workload("UNet3D on A100", *_UNET3D, c.UNET3D_COMPUTE_A100, 0.9),
    Workload("ResNet-50 on H100", *_RESNET50, c.RESNET50_COMPUTE_H100, 0.9),
    Workload("ResNet-50 on A100", *_RESNET50, c.RESNET50_COMPUTE_A100, 0.9),
    Workload("CosmoFlow on H100", *_COSMOFLOW, c.COSMOFLOW_COMPUTE_H100, 0.7),
    Workload("CosmoFlow on A100", *_COSMOFLOW, c.COSMOFLOW_COMPUTE_A100, 0.7),
)

RESULTS = (
    Result(WORKLOADS[0], accelerators=36, utilization=0.9359, published_rate=708.9),
    Result(WORKLOADS[2], accelerators=512, utilization=0.9252, published_rate=843_065),
    Result(WORKLOADS[4], accelerators=64, utilization=0.7026, published_rate=12_557),
)
