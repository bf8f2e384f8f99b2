import { Box, Button, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { type Admin, unwrap } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { formatCount } from "../../components/figures.tsx";
import { idOf } from "../../components/ids.ts";
import { useListState } from "../../components/list_state.ts";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { useStore } from "../../store/store.ts";
import { MarkedMember } from "../members/marked_member.tsx";
import { LevelBadge } from "../members/level_badge.tsx";

type Member = Admin["BranchMember"];
/** A line of the picture: a member, or what opens more of the direct members of one. */
type Line = { key: string; depth: number; above: number | undefined } & (
  | { member: Member; isOpen: boolean }
  | { more: { of: number; shown: number; all: number } }
);

const rowHeight = 34;
const indent = 22;
const left = 14;
const pageRows = 20;
/** So many members of the address are opened. */
const mostOpen = 50;

const column = columnsOf<Member & { depth: number }>();

/** The pages of direct members that are opened, by member. */
function useBranches(uids: number[], pagesOf: Record<number, number>) {
  const { admin } = useStore();
  const asked = uids.flatMap((uid) =>
    Array.from({ length: pagesOf[uid] ?? 1 }, (_, page) => ({ uid, page: page + 1 })),
  );
  const results = useQueries({
    queries: asked.map(({ uid, page }) => ({
      queryKey: ["branch", uid, page],
      queryFn: () =>
        unwrap(
          admin.GET("/adminapi/user/{uid}/branch", { params: { path: { uid }, query: { page, limit: pageRows } } }),
        ),
    })),
  });
  const branches = new Map<number, { list: Member[]; count: number; root: Member }>();
  asked.forEach(({ uid }, index) => {
    const { data } = results[index]!;
    if (data) branches.set(uid, { ...data, list: [...(branches.get(uid)?.list ?? []), ...data.list] });
  });
  return {
    branches,
    error: results.find(({ error }) => error)?.error,
    retry: () => results.forEach(({ error, refetch }) => error && void refetch()),
  };
}

/** The lines of a tree from the top, each member followed by those below who are opened. */
function linesOf(
  root: number,
  branches: ReturnType<typeof useBranches>["branches"],
  open: ReadonlySet<number>,
): Line[] {
  const lines: Line[] = [];
  const add = (member: Member, depth: number, above: number | undefined) => {
    const isOpen = open.has(member.uid);
    const branch = isOpen ? branches.get(member.uid) : undefined;
    const at = lines.push({ key: String(member.uid), depth, above, member, isOpen }) - 1;
    branch?.list.forEach((below) => add(below, depth + 1, at));
    if (branch && branch.list.length < branch.count)
      lines.push({
        key: `more ${member.uid}`,
        depth: depth + 1,
        above: at,
        more: { of: member.uid, shown: branch.list.length, all: branch.count },
      });
  };
  const top = branches.get(root)?.root;
  if (top) add(top, 0, undefined);
  return lines;
}

/**
 * The lines that connect members, and a circle for each: filled if members below are not shown, and larger the more
 * there are.
 */
function Connections({ lines }: { lines: Line[] }) {
  const x = (depth: number) => left + depth * indent;
  const y = (at: number) => at * rowHeight + rowHeight / 2;
  const most = Math.max(1, ...lines.map((line) => ("member" in line ? line.member.people : 0)));
  return (
    <svg
      className="branch-picture"
      aria-hidden
      width={x(Math.max(...lines.map(({ depth }) => depth)) + 1)}
      height={lines.length * rowHeight}
    >
      {lines.map(
        ({ key, depth, above }, at) =>
          above !== undefined && (
            <path key={key} className="branch-line" d={`M${x(depth - 1)} ${y(above)}V${y(at)}H${x(depth)}`} />
          ),
      )}
      {lines.map(
        (line, at) =>
          "member" in line && (
            <circle
              key={line.key}
              className={line.isOpen || line.member.people === 0 ? "branch-open" : "branch-closed"}
              cx={x(line.depth)}
              cy={y(at)}
              r={3.5 + 5.5 * Math.sqrt(line.member.people / most)}
            />
          ),
      )}
    </svg>
  );
}

interface PictureProps {
  label: string;
  lines: Line[];
  toggle: (uid: number) => void;
  showMore: (uid: number) => void;
}

/** The tree as a picture. It is one stop of the Tab key; the arrow keys move within it. */
function Picture({ label, lines, toggle, showMore }: PictureProps) {
  const { t } = useTranslation(["network", "words"]);
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(lines[0]!.key);
  const at = Math.max(
    0,
    lines.findIndex(({ key }) => key === current),
  );

  function focus(index: number) {
    const next = Math.max(0, Math.min(index, lines.length - 1));
    setCurrent(lines[next]!.key);
    box.current!.querySelectorAll<HTMLElement>("[role=treeitem]")[next]!.focus();
  }
  function press(event: KeyboardEvent) {
    const line = lines[at]!;
    const canOpen = "member" in line && line.member.people > 0;
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 };
    const next = moves[event.key];
    const opens = event.key === "ArrowRight" && canOpen && !line.isOpen;
    const closes = event.key === "ArrowLeft" && canOpen && line.isOpen;
    if (next !== undefined) focus(next);
    else if (opens || closes || (event.key === " " && canOpen)) toggle(line.member.uid);
    else if (event.key === "ArrowRight" && lines[at + 1]?.above === at) focus(at + 1);
    else if (event.key === "ArrowLeft") focus(line.above ?? at);
    else if (event.key === "Enter" && "member" in line) void navigate(`/users/${line.member.uid}?tab=network`);
    else if ((event.key === "Enter" || event.key === " ") && "more" in line) showMore(line.more.of);
    else return;
    event.preventDefault();
  }

  return (
    <Box ref={box} role="tree" aria-label={label} className="branch-tree" pos="relative" onKeyDown={press}>
      <Connections lines={lines} />
      {lines.map((line, index) => {
        const isMember = "member" in line;
        const { nickname = "", uid = 0, people = 0, direct_members = 0, left_at = null } = isMember ? line.member : {};
        return (
          <div
            key={line.key}
            role="treeitem"
            aria-level={line.depth + 1}
            {...(isMember && people > 0 && { "aria-expanded": line.isOpen })}
            tabIndex={index === at ? 0 : -1}
            className="branch-node"
            style={{ height: rowHeight, paddingInlineStart: left + line.depth * indent + 16 }}
            onFocus={() => setCurrent(line.key)}
            onClick={() => (isMember ? people > 0 && toggle(uid) : showMore(line.more.of))}
          >
            {isMember ? (
              <>
                <span className="branch-name">{nickname}</span>{" "}
                <Text span size="xs" c="dimmed" className="figures">
                  {uid} · {left_at && `${t("words:hasLeft")} · `}
                  {people === 0
                    ? t("tree.alone")
                    : t("tree.counts", { people: formatCount(people), direct: formatCount(direct_members) })}
                </Text>
              </>
            ) : (
              <Text span size="sm" td="underline">
                {t("tree.more", { shown: formatCount(line.more.shown), all: formatCount(line.more.all) })}
              </Text>
            )}
          </div>
        );
      })}
    </Box>
  );
}

/** The members of the lines as a table, for screen readers and files. */
function Table({ lines }: { lines: Line[] }) {
  const { t } = useTranslation(["network", "words"]);
  const columns = [
    column.number("depth", t("depth")),
    column.member("uid", t("words:member"), { opens: true, cell: (member) => <MarkedMember member={member} /> }),
    column.custom({
      id: "level",
      title: t("words:level"),
      cell: ({ agent_level }) => <LevelBadge grade={agent_level} />,
      csv: ({ agent_level_name }) => agent_level_name,
    }),
    column.count("people", t("people")),
    column.count("direct_members", t("direct")),
    column.count("own_orders", t("tree.ownOrders")),
    column.time("left_at", t("words:leftAt"), { isFileOnly: true }),
  ];
  const rows = lines.flatMap((line) => ("member" in line ? [{ ...line.member, depth: line.depth }] : []));
  return (
    <PlainTable
      label={t("tree.table")}
      columns={columns}
      rows={rows}
      rowId={({ uid }) => uid}
      exportAs={t("tree.title")}
    />
  );
}

/** The tree below a member, opened level by level. The opened members are part of the address. */
export function BranchTree({ uid }: { uid: number }) {
  const { t } = useTranslation(["network", "common"]);
  const state = useListState();
  const [asTable, { toggle: toggleTable }] = useDisclosure(false);
  const [pagesOf, setPagesOf] = useState<Record<number, number>>({});
  const closed = state.get("open") === "none";
  const named = state
    .get("open")
    .split(",")
    .flatMap((text) => idOf(text) ?? [])
    .slice(0, mostOpen);
  const open = new Set(closed ? [] : [uid, ...named]);
  const { branches, error, retry } = useBranches([uid, ...named.filter((other) => other !== uid)], pagesOf);
  const lines = linesOf(uid, branches, open);

  function toggle(changed: number) {
    if (changed === uid) return state.set({ open: closed ? "" : "none" });
    const next = open.has(changed) ? named.filter((other) => other !== changed) : [...named, changed];
    state.set({ open: next.join(",") });
  }
  const words = t(asTable ? "common:chart.asChart" : "common:chart.asTable");
  return (
    <Section
      title={t("tree.title")}
      about={`${t("tree.about")} ${t("tree.keys")}`}
      actions={
        <Button variant="subtle" size="compact-xs" onClick={toggleTable} aria-label={`${words}: ${t("tree.title")}`}>
          {words}
        </Button>
      }
    >
      <Stack gap="xs">
        <FailureAlert error={error} onRetry={retry} />
        {lines.length === 0 ? (
          !error && <Skeleton height={rowHeight} aria-label={t("tree.loading")} />
        ) : asTable ? (
          <Table lines={lines} />
        ) : (
          <Picture
            label={t("tree.title")}
            lines={lines}
            toggle={toggle}
            showMore={(of) => setPagesOf((pages) => ({ ...pages, [of]: (pages[of] ?? 1) + 1 }))}
          />
        )}
      </Stack>
    </Section>
  );
}
