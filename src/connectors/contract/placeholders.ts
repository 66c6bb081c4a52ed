/** Fills the placeholders of settings, such as `{username}` and `{registration.entityId}`. */
import { own } from '../../platform/text/own.ts';

/** With each `{name}` of these replaced by its value. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, () => value),
    template,
  );
}

/** With each `{registration.NAME}` replaced; undefined: the message lacks one of them. */
export function withRegistrations(
  template: string,
  registrations: Readonly<Record<string, string>> = {},
): string | undefined {
  let isWhole = true;
  const text = template.replaceAll(/\{registration\.([A-Za-z][A-Za-z0-9]{0,31})\}/g, (_, name: string) => {
    const value = own(registrations, name);
    isWhole &&= value !== undefined;
    return value ?? '';
  });
  return isWhole ? text : undefined;
}
