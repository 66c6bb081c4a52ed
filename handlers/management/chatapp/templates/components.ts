/** Translates the components of chat-app templates, which the contract keeps together. */
import type { components as schemas } from '../../../../generated/management.d.ts';
import type { Definition } from '../../../../src/chatapp/templates/definition.ts';
import type { StoredTemplate } from '../../../../src/chatapp/templates/template-repository.ts';

type Components = Omit<Definition, 'category'>;

export function written({
  header,
  body,
  footer,
  buttons,
  limitedTimeOffer,
  carousel,
  ...template
}: StoredTemplate) {
  return {
    ...template,
    components: {
      ...(header === undefined ? {} : { header }),
      body,
      ...(footer === undefined ? {} : { footer }),
      buttons,
      ...(limitedTimeOffer === undefined ? {} : { limitedTimeOffer }),
      ...(carousel === undefined ? {} : { carousel }),
    },
  };
}

/** The schema has checked which properties go together. */
export function componentsOf(components: schemas['schemas']['TemplateComponents']): Components {
  return components as Components;
}
