import { Checkbox, ColorInput, Group, NumberInput, Select, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { toPercent } from "../../components/field_number.ts";
import { PicturesInput, type PicturesInputProps } from "../../components/pictures_input.tsx";
import { areas } from "../../store/enumerations.ts";
import { withdrawalMethods } from "../withdrawals/withdrawal_state.tsx";
import { useDesigns } from "./use_designs.ts";
import { PostalInput, type PostalInputProps } from "./postal_input.tsx";
import { kindOf, optional, realNameChecks, schemaOf, type SettingName, taxMethods } from "./settings_table.ts";

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
  const { t } = useTranslation(["settings", "withdrawals"]);
  const { minimum, maximum, exclusiveMaximum, maxLength } = schemaOf[name];
  const kind = kindOf(name);
  const common = { ...input, label: t(`fields.${name}.label`), description, required: !optional.includes(name) };
  const text = { ...common, ...(maxLength !== undefined && { maxLength }) };
  const number = { ...common, clampBehavior: "none", inputSize: "12" } as const;
  const designs = useDesigns();
  switch (kind) {
    case "switch":
      return <Switch {...input} label={common.label} description={description} />;
    case "colour":
      return <ColorInput {...text} fixOnBlur={false} swatches={suggestedColours} withEyeDropper={false} inputSize="20" />;
    case "design":
      return <Select {...common} data={designs} allowDeselect={false} />;
    case "tax":
      return (
        <Select
          {...common}
          data={taxMethods.map((method) => ({ value: method, label: t(`taxMethods.${method}`) }))}
          allowDeselect={false}
        />
      );
    case "check":
      return (
        <Select
          {...common}
          data={realNameChecks.map((check) => ({ value: check, label: t(`realNameChecks.${check}`) }))}
          allowDeselect={false}
        />
      );
    case "day":
      return <TextInput {...common} type="date" inputSize="20" />;
    case "origins":
      return <TagsInput {...input} label={common.label} description={description} maxLength={200} />;
    case "words":
      return <TagsInput {...input} label={common.label} description={description} maxLength={50} maxTags={500} />;
    case "methods":
      return (
        <Checkbox.Group {...input} label={common.label} description={description}>
          <Group mt="xs">
            {withdrawalMethods.map((method) => (
              <Checkbox key={method} value={method} label={t(`withdrawals:methods.${method}`)} />
            ))}
          </Group>
        </Checkbox.Group>
      );
    case "areas":
      return (
        <Checkbox.Group {...input} label={common.label} description={description}>
          <Stack mt="xs" gap="xs">
            {areas.map((area) => (
              <Checkbox key={area} value={area} label={t(`areas.${area}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case "picture":
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
      return <NumberInput {...number} min={minimum} max={maximum} decimalScale={exclusiveMaximum === undefined ? 4 : 5} />;
    case "percent":
      return <NumberInput {...number} min={minimum} max={toPercent(exclusiveMaximum! - 0.000_01)} decimalScale={3} suffix=" %" />;
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
      return <TextInput {...text} {...(kind === "address" && { type: "url" })} />;
  }
}
