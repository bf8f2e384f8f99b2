import { Anchor } from "@mantine/core";
import { Link, useLocation } from "react-router";

/** A link to a row of the bill. Within the list of the bill, the list stays as it is. */
export function BillRowLink({ id, label }: { id: number; label?: string }) {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(pathname === "/bill" ? search : "");
  parameters.set("row", String(id));
  return (
    <Anchor
      component={Link}
      to={{ pathname: "/bill", search: parameters.toString() }}
      state={{ opened: "row" }}
      size="xs"
      className="figures"
    >
      {label ?? id}
    </Anchor>
  );
}
