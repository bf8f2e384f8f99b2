import { style } from "../ground/progress.ts";
import type { Finding } from "./finding.ts";
import { type Point, points } from "./points.ts";

/** Whether a point of the list is as it has to be. */
export type Answer = "yes" | "no" | "unknown";

const hasCheck = (point: Point, { check }: Finding) => (point.checks as readonly string[]).includes(check);

/** A finding with the title of the point that it is of. */
export const withPoint = (finding: Finding) => ({
  point: points.find((point) => hasCheck(point, finding))!.title,
  ...finding,
});

const isNo = ({ severity }: Finding) => severity === "error" || severity === "warning";

/** @param findings those of a point */
function answerOf(findings: Finding[]): Answer {
  if (findings.some(isNo)) return "no";
  return findings.length === 0 || findings.some(({ severity }) => severity === "skipped") ? "unknown" : "yes";
}

function markOf(answer: Answer, findings: Finding[]): string {
  if (answer === "yes") return style.good("✓");
  if (answer === "unknown") return "?";
  return findings.some(({ severity }) => severity === "error") ? style.bad("✗") : "!";
}

/** What there is to say of a point besides its answer. Findings with the same remedy are one. */
function remarksOf(findings: Finding[]): string[] {
  const open = findings.filter((finding) => isNo(finding) || finding.severity === "hint");
  return [...new Set(open.map(({ hint }) => hint))].flatMap((hint) => {
    const messages = open.filter((finding) => finding.hint === hint).map(({ message }) => message);
    return [messages.join("; "), ...(hint === "" ? [] : [style.dim(`→ ${hint}`)])];
  });
}

/** Prints the list of going live, each point with its answer, what to do about each `no`, and totals. */
export function printAnswers(findings: Finding[]): void {
  const answers = points.map((point) => {
    const own = findings.filter((finding) => hasCheck(point, finding));
    const answer = answerOf(own);
    const [only, ...others] = own;
    const detail = answer === "yes" && only?.severity === "ok" && others.length === 0 ? `: ${only.message}` : "";
    console.log(`  ${markOf(answer, own)} ${answer.padEnd(7)}  ${point.section}  ${point.title}${detail}`);
    for (const line of remarksOf(own)) console.log(`                 ${line}`);
    return answer;
  });
  // One reason may hide several points.
  const unknown = new Map(
    findings
      .filter(({ severity, hint }) => severity === "skipped" && hint !== "")
      .map(({ message, hint }) => [hint, message]),
  );
  for (const [hint, message] of unknown) console.log(`\nUnknown, because ${message}\n  → ${hint}`);
  const given = (answer: Answer) => answers.filter((each) => each === answer).length;
  const count = (severity: Finding["severity"]) => findings.filter((finding) => finding.severity === severity).length;
  console.log(
    `\n${given("yes")} yes, ${given("no")} no, ${given("unknown")} unknown. Checks: ${count("ok")} ok, ${count("hint")} hints, ${count("warning")} warnings, ${count("error")} errors, ${count("skipped")} skipped`,
  );
}
