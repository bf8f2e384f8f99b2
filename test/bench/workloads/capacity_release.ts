import { readMeasured } from "../../../scripts/scale/capacity/measured.ts";
import { fitModel } from "../../../scripts/scale/capacity/model.ts";
import { measureRelease } from "../capacity/measure_store.ts";
import { Reference } from "../capacity/reference.ts";
import type { Workload } from "../workload.ts";

export const capacityRelease: Workload = {
  name: "capacity_release",
  title: "Release in a store of another size than the measured ones, compared with what npm run capacity expects",
  async run(bench) {
    const measured = readMeasured();
    const reference = await Reference.create(bench);
    const members = bench.size.beyond;
    const release = await measureRelease(bench, members, reference);
    await reference.drop();
    bench.saveCapacity?.({ ...measured, releases: [release] });
    const model = fitModel(measured);
    const cpu = release.cpu * (measured.reference / release.reference);
    const expected = { cpu: model.cpu("release", members), log: model.log("release", members, 1) };
    return [
      {
        name: `${members} members, processor time each`,
        ours: cpu,
        baseline: expected.cpu,
        unit: "µs",
        ratio: cpu / expected.cpu,
        better: "lower",
        aim: 1.35,
      },
      {
        name: `${members} members, log each`,
        ours: release.log,
        baseline: expected.log,
        unit: "B",
        ratio: release.log / expected.log,
        better: "lower",
        aim: 1.35,
      },
    ];
  },
};
