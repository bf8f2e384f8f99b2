import { Checkbox, ColorInput, NumberInput, Select, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { toPercent } from "../../components/field_number.ts";
import { PicturesInput, type PicturesInputProps } from "../../components/pictures_input.tsx";
import { PostalInput, type PostalInputProps } from "./postal_input.tsx";
import { declared, type SettingName } from "./settings_table.ts";
import { useChoices } from "./use_choice_words.ts";

/** Main colours that many stores have. */
const suggestedColours = ["#c8102e", "#d9480f", "#b45309", "#2b8a3e", "#0b7285", "#1864ab", "#5f3dc4", "#343a40"];

interface SettingInputProps {
  name: SettingName;
  /** What `getInputProps` of the form returns. */
  input: object;
  description: ReactNode;
}

/** The input of a setting, by its kind and bounds. */
export function SettingInput({ name, input, description }: SettingInputProps) {
  const { t } = useTranslation("settings");
  const { kind, minimum, maximum, decimals, longest, removable } = declared(name);
  const common = {
    ...input,
    label: t(`fields.${name}.label`),
    description,
    required: !removable && kind !== "minutes",
  };
  const text = { ...common, ...(longest !== undefined && { maxLength: longest }) };
  const number = { ...common, clampBehavior: "none", inputSize: "12" } as const;
  const choices = useChoices(name);
  switch (kind) {
    case "switch":
      return <Switch {...input} label={common.label} description={description} />;
    case "colour":
      return (
        <ColorInput {...common} fixOnBlur={false} swatches={suggestedColours} withEyeDropper={false} inputSize="20" />
      );
    case "choice":
      return <Select {...common} data={choices} allowDeselect={false} />;
    case "day":
      return <TextInput {...common} type="date" inputSize="20" />;
    case "origins":
      return <TagsInput {...input} label={common.label} description={description} maxLength={200} />;
    case "words":
      return (
        <TagsInput
          {...input}
          label={common.label}
          description={description}
          maxLength={50}
          {...(longest !== undefined && { maxTags: longest })}
        />
      );
    case "choices":
      return (
        <Checkbox.Group {...input} label={common.label} description={description}>
          <Stack mt="xs" gap="xs">
            {choices.map((choice) => (
              <Checkbox key={choice.value} {...choice} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case "web_address":
      return (
        <PicturesInput
          {...(input as Pick<PicturesInputProps, "value" | "onChange" | "error">)}
          label={common.label}
          description={description}
          most={1}
        />
      );
    case "postal":
      return (
        <PostalInput
          {...(input as Pick<PostalInputProps, "value" | "onChange" | "error">)}
          label={common.label}
          description={description}
        />
      );
    case "integer":
      return <NumberInput {...number} min={minimum} max={maximum} allowDecimal={false} />;
    case "number":
      return <NumberInput {...number} min={minimum} max={maximum} decimalScale={decimals} />;
    case "percent":
      return <NumberInput {...number} min={minimum} max={toPercent(maximum!)} decimalScale={3} suffix=" %" />;
    case "amount":
      return <TextInput {...common} inputMode="decimal" maxLength={15} inputSize="20" />;
    case "minutes":
      return <TextInput {...common} maxLength={60} inputSize="20" />;
    case "zone":
      return (
        <>
          <TextInput {...text} list="time-zones" />
          <datalist id="time-zones">
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      );
    default:
      return <TextInput {...text} {...(kind === "share_address" && { type: "url" })} />;
  }
}
