import Image from "@tiptap/extension-image";
import StarterKit from "@tiptap/starter-kit";
import { allowedAddress } from "../../../../../functions/_shared/html/allowed_html.ts";

/** What the editor can hold. The page that shows the text opens each link in a new window. */
export const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: "https",
      isAllowedUri: (address) => allowedAddress.test(address),
      HTMLAttributes: { target: null, rel: null },
    },
    // It adds an empty paragraph to a text that ends with a list.
    trailingNode: false,
  }),
  Image.configure({ inline: true }),
];
