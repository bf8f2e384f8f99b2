import { Anchor } from "@mantine/core";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { Clipped } from "./clipped.tsx";

/** The record in the drawer beside a list. */
interface Opened {
  /** Its id, or `new`; undefined if the drawer is closed. */
  id: string | undefined;
  open: (id: string) => void;
  close: () => void;
}

const withRecord = (parameters: URLSearchParams, name: string, id: string) =>
  new URLSearchParams([...parameters].filter(([other]) => other !== name).concat([[name, id]]));

/**
 * Keeps the record of a drawer in the URL, so that a link opens it and Back closes it.
 * @param name of the parameter, such as `product`
 */
export function useOpened(name: string): Opened {
  const [parameters, setParameters] = useSearchParams();
  const { state } = useLocation() as { state: { opened?: string } | null };
  const navigate = useNavigate();
  return {
    id: parameters.get(name) ?? undefined,
    open: (id) => setParameters(withRecord(parameters, name, id), { state: { opened: name } }),
    close: () => {
      // The list is the page before, unless a link from elsewhere has opened the drawer.
      if (state?.opened === name) return void navigate(-1);
      const next = new URLSearchParams(parameters);
      next.delete(name);
      setParameters(next, { replace: true });
    },
  };
}

/** Opens the drawer of a record of the list. */
export function OpenLink({ name, id, title }: { name: string; id: number | string; title: string }) {
  const [parameters] = useSearchParams();
  return (
    <Clipped text={title}>
      <Anchor
        component={Link}
        to={{ search: withRecord(parameters, name, String(id)).toString() }}
        state={{ opened: name }}
        size="sm"
      >
        {title}
      </Anchor>
    </Clipped>
  );
}
