import { Fieldset, Input, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PostalFields } from "./postal.ts";

export interface PostalInputProps {
  value: PostalFields;
  onChange: (value: PostalFields) => void;
  error?: ReactNode;
  label: string;
  description: ReactNode;
}

const lengths = { name: 64, phone: 25, region: 200, street: 200 } as const;

/** The parts of a postal address. */
export function PostalInput({ value, onChange, error, label, description }: PostalInputProps) {
  const { t } = useTranslation("settings");
  return (
    <Fieldset variant="unstyled" legend={label}>
      <Stack gap="xs">
        <Input.Description>{description}</Input.Description>
        {(Object.keys(lengths) as (keyof PostalFields)[]).map((part) => (
          <TextInput
            key={part}
            label={t(`postal.${part}`)}
            value={value[part]}
            onChange={(event) => onChange({ ...value, [part]: event.currentTarget.value })}
            maxLength={lengths[part]}
            error={Boolean(error) && value[part].trim() === ""}
          />
        ))}
        {error && <Input.Error role="alert">{error}</Input.Error>}
      </Stack>
    </Fieldset>
  );
}
