import { useQuery } from "@tanstack/react-query";
import { useSession } from "./session_context.ts";

/**
 * The second factors of the signed-in administrator, and whether this session has proved one. Read anew by each dialog.
 */
export function useFactors() {
  const { factors } = useSession();
  return useQuery({
    queryKey: ["factors"],
    queryFn: async () => ({ list: await factors.list(), areProved: await factors.areProved() }),
    staleTime: 0,
    gcTime: 0,
  });
}
