import { withConnection } from "../../../scripts/postgres/database_server.ts";

const CLIENT_ROLES = ["anon", "authenticated", "store_admin", "store_key", "service_role", "store_api"];
const ROLE_LIST = `array[${CLIENT_ROLES.map((role) => `'${role}'`).join(", ")}]`;

const HEADING = `<!-- Written by \`npm test -- contract/access_matrix --update\`; do not edit. -->
# Access matrix

[Access control](../../../docs/access.md) explains the roles. This file lists every schema, table, column, policy, sequence and function of the store with
the privileges of each role, as the catalogue of Postgres has them. An empty cell means no privilege. The column *others* names \`PUBLIC\` and
roles that have no column of their own. The owner of all objects, \`postgres\`, has every privilege and is left out.`;

/** \`PUBLIC\`, and roles that have no column of their own. */
const OTHERS = `others (grantee, privileges) as (
  select coalesce(nullif(a.grantee, 0)::regrole::text, 'PUBLIC'), string_agg(lower(a.privilege_type), ', ' order by a.privilege_type)
  from aclexplode(%s) as a where a.grantee <> %s and coalesce(nullif(a.grantee, 0)::regrole::text, 'PUBLIC') <> all (${ROLE_LIST}) group by a.grantee
)`;

/**
 * A query with one column for each client role and one for all others, in which the privileges are.
 * @param objects a query of name (text), detail (text), owner (oid) and acl (aclitem[])
 */
const privilegesOf = (objects: string) => `
  select o.name, o.detail, (
    select json_agg(coalesce((
      select string_agg(lower(a.privilege_type), ', ' order by a.privilege_type) from aclexplode(o.acl) as a where a.grantee = to_regrole(r.name)
    ), '') order by r.place) from unnest(${ROLE_LIST}) with ordinality as r (name, place)
  ) as privileges, coalesce((
    with ${OTHERS.replace("%s", "o.acl").replace("%s", "o.owner")} select string_agg(grantee || ': ' || privileges, '; ' order by grantee) from others
  ), '') as others
  from (${objects}) as o (name, detail, owner, acl) order by o.name collate "C", o.detail collate "C"`;

/** Partitions are created month by month, so their names are not listed. */
const TABLES = `
  select case when c.relispartition then 'each partition of ' || i.inhparent::regclass::text else c.oid::regclass::text end,
    string_agg(distinct '\`' || t.attname || '\`', ', ' order by '\`' || t.attname || '\`'), c.relowner, c.relacl::text::aclitem[]
  from pg_class as c join pg_attribute as t on t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped
  left join pg_inherits as i on i.inhrelid = c.oid
  where c.relnamespace in ('app'::regnamespace, 'api'::regnamespace) and c.relkind in ('r', 'p', 'v', 'm', 'f')
  group by 1, c.relowner, c.relacl::text`;

const COLUMNS = `
  select c.oid::regclass::text, t.attname, c.relowner, t.attacl from pg_class as c join pg_attribute as t on t.attrelid = c.oid
  where c.relnamespace in ('app'::regnamespace, 'api'::regnamespace) and t.attacl is not null`;

const SCHEMAS = `select n.nspname, '', n.nspowner, n.nspacl from pg_namespace as n where n.nspname in ('app', 'api', 'entry')`;

const SEQUENCES = `
  select c.oid::regclass::text, '', c.relowner, c.relacl from pg_class as c
  where c.relnamespace in ('app'::regnamespace, 'api'::regnamespace) and c.relkind = 'S'`;

/** Entry points are generated, so they are not listed one by one. */
const FUNCTIONS = `
  select distinct case when p.pronamespace = 'entry'::regnamespace then 'each function of schema entry' else p.oid::regprocedure::text end,
    case when p.prosecdef then 'the owner' else 'the caller' end, p.proowner, coalesce(p.proacl, acldefault('f', p.proowner))
  from pg_proc as p where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace, 'entry'::regnamespace)`;

const ROLES = `
  select r.rolname as name, r.rolcanlogin as logs_in, r.rolbypassrls as bypasses, coalesce((
    select string_agg(m.roleid::regrole::text, ', ' order by m.roleid::regrole::text) from pg_auth_members as m where m.member = r.oid
  ), '') as member_of
  from unnest(${ROLE_LIST}) with ordinality as n (name, place) join pg_roles as r on r.rolname = n.name order by n.place`;

const POLICIES = `
  select c.oid::regclass::text as name, p.polname as policy,
    case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end as command,
    (select string_agg(coalesce(nullif(r, 0)::regrole::text, 'PUBLIC'), ', ' order by r::regrole::text) from unnest(p.polroles) as r) as roles,
    regexp_replace(coalesce(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)), '\\s+', ' ', 'g') as condition
  from pg_policy as p join pg_class as c on c.oid = p.polrelid
  where c.relnamespace in ('app'::regnamespace, 'api'::regnamespace) order by c.oid::regclass::text collate "C", p.polname collate "C"`;

interface Row {
  name: string;
  detail: string | null;
  privileges: string[];
  others: string;
}

function table(headings: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(headings), `|${"---|".repeat(headings.length)}`, ...rows.map(line)].join("\n");
}

/**
 * Reads from the catalogue which role may do what with each object of the schemas app and api.
 * @param databaseUrl of a migrated database, for role postgres
 * @returns the content of access_matrix.md
 */
export async function accessMatrix(databaseUrl: string): Promise<string> {
  return withConnection(databaseUrl, async (sql) => {
    // Names are then printed with their schema, whatever the role has in its path.
    await sql`set search_path = pg_catalog`;
    const read = async (objects: string): Promise<Row[]> => [...(await sql.unsafe<Row[]>(privilegesOf(objects)))];
    const code = (text: string) => `\`${text}\``;
    const roleCells = ({ privileges, others }: Row) => [...privileges, others];
    const roleHeadings = [...CLIENT_ROLES.map(code), "others"];
    const [schemas, tables, columns, sequences, functions] = [
      await read(SCHEMAS),
      await read(TABLES),
      await read(COLUMNS),
      await read(SEQUENCES),
      await read(FUNCTIONS),
    ];
    const roles = await sql.unsafe<{ name: string; logs_in: boolean; bypasses: boolean; member_of: string }[]>(ROLES);
    const policies =
      await sql.unsafe<{ name: string; policy: string; command: string; roles: string; condition: string }[]>(POLICIES);
    const yes = (value: boolean) => (value ? "yes" : "");
    const withoutPrivileges = sequences.filter(
      ({ privileges, others }) => privileges.every((each) => each === "") && others === "",
    );
    const sections = [
      [
        "Roles",
        table(
          ["role", "logs in", "bypasses row-level security", "member of"],
          roles.map((role) => [code(role.name), yes(role.logs_in), yes(role.bypasses), role.member_of]),
        ),
      ],
      [
        "Schemas",
        table(
          ["schema", ...roleHeadings],
          schemas.map((row) => [code(row.name), ...roleCells(row)]),
        ),
      ],
      [
        "Tables",
        table(
          ["table", ...roleHeadings, "columns"],
          tables.map((row) => [code(row.name), ...roleCells(row), row.detail ?? ""]),
        ),
      ],
      [
        "Columns with privileges of their own",
        columns.length === 0
          ? "None."
          : table(
              ["table", "column", ...roleHeadings],
              columns.map((row) => [code(row.name), row.detail ?? "", ...roleCells(row)]),
            ),
      ],
      [
        "Policies",
        `A role reads those rows of a table for which the condition of one of its policies holds, and no row without a policy.\n\n${table(
          ["table", "policy", "command", "roles", "condition"],
          policies.map((row) => [code(row.name), row.policy, row.command, row.roles, code(row.condition)]),
        )}`,
      ],
      [
        "Sequences",
        `Sequences of which only the owner uses any: ${withoutPrivileges.map(({ name }) => code(name)).join(", ")}.${
          withoutPrivileges.length === sequences.length
            ? ""
            : `\n\n${table(
                ["sequence", ...roleHeadings],
                sequences
                  .filter((row) => !withoutPrivileges.includes(row))
                  .map((row) => [code(row.name), ...roleCells(row)]),
              )}`
        }`,
      ],
      [
        "Functions and procedures",
        table(
          ["function", "runs as", ...roleHeadings],
          functions.map((row) => [code(row.name), row.detail ?? "", ...roleCells(row)]),
        ),
      ],
    ];
    return `${HEADING}\n\n${sections.map(([title, content]) => `## ${title}\n\n${content}\n`).join("\n")}`;
  });
}
