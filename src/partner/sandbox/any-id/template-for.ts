/** A chat-app template that accepts the parameters of a request, for a template that the sandbox does not know. */
import { type Definition, parameterFormatOf } from '../../../products/chatapp/templates/definition.ts';
import type {
  ChatAppParameter,
  ParameterKind,
  ParameterOf,
} from '../../../products/chatapp/templates/parameter.ts';
import type { Button, Card, ChatAppTemplate, Header } from '../../../products/chatapp/templates/template.ts';

type MadeTemplate = Definition & Pick<ChatAppTemplate, 'parameterFormat'>;

const url = 'https://client.example';

/** `text`: the body, if no parameter fills it. */
export function templateFor(text: string, params: readonly ChatAppParameter[]): MadeTemplate {
  const offer = of(params, 'LimitedTimeOfferParameter').length > 0;
  const coupon = of(params, 'CouponCodeParameter').length > 0;
  const otp = of(params, 'OtpParameter').length > 0;
  const cards = of(params, 'CarouselCardParameter').map(cardFor);
  const header = headerFor(params);
  const limitedTimeOffer = { text: 'An offer', hasExpiration: offer };
  const definition: Definition = {
    category: otp ? 'AUTHENTICATION' : offer || coupon || cards.length > 0 ? 'MARKETING' : 'UTILITY',
    body: { text: bodyText(params) || text },
    buttons: buttonsFor(params),
    ...(header === undefined ? {} : { header }),
    ...(offer || coupon ? { limitedTimeOffer } : {}),
    ...(cards.length === 0 ? {} : { carousel: { cards } }),
  };
  return { ...definition, parameterFormat: parameterFormatOf(definition) };
}

function of<Kind extends ParameterKind>(
  params: readonly ChatAppParameter[],
  kind: Kind,
): ParameterOf<Kind>[] {
  return params.filter((one): one is ParameterOf<Kind> => one.type === kind);
}

function headerFor(params: readonly ChatAppParameter[]): Header | undefined {
  const [medium] = of(params, 'MediaParameter');
  if (medium !== undefined) return { format: medium.filename === undefined ? 'IMAGE' : 'DOCUMENT' };
  if (of(params, 'LocationParameter').length > 0) return { format: 'LOCATION' };
  const text = placeholders(of(params, 'HeaderNamedParameter'), of(params, 'HeaderPositionalParameter'));
  return text === '' ? undefined : { format: 'TEXT', text };
}

function bodyText(params: readonly ChatAppParameter[]): string {
  // A one-time password fills the first place of the body.
  const password = of(params, 'OtpParameter').map(() => ({ position: 1 }));
  const positions = [...password, ...of(params, 'BodyPositionalParameter')];
  return placeholders(of(params, 'BodyNamedParameter'), positions);
}

/** `{{name}} {{1}} {{2}}`, numbered without a gap. */
function placeholders(named: readonly { name: string }[], numbered: readonly { position: number }[]): string {
  const names = [...new Set(named.map(({ name }) => name)), ...upTo(numbered).map((_, index) => index + 1)];
  return names.map((name) => `{{${name}}}`).join(' ');
}

/** As many as the highest position says. */
function upTo(numbered: readonly { position: number }[]): null[] {
  return Array(Math.min(100, Math.max(0, ...numbered.map(({ position }) => position)))).fill(null);
}

function buttonsFor(params: readonly ChatAppParameter[]): Button[] {
  const copies = [
    ...of(params, 'CopyParameter'),
    ...of(params, 'CouponCodeParameter').map(() => ({ position: 1 })),
  ];
  return [
    ...of(params, 'UrlNamedParameter').map(
      ({ name }): Button => ({ type: 'URL', text: name, url: `${url}/{{${name}}}` }),
    ),
    ...upTo(of(params, 'UrlPositionalParameter')).map(
      (): Button => ({ type: 'URL', text: 'Open', url: `${url}/{{1}}` }),
    ),
    ...upTo(of(params, 'QuickReplyPayloadParameter')).map(
      (): Button => ({ type: 'QUICK_REPLY', text: 'Reply' }),
    ),
    ...upTo(copies).map((): Button => ({ type: 'COPY_CODE', text: 'Copy the code' })),
    ...of(params, 'OtpParameter').map((): Button => ({ type: 'OTP', text: 'Copy the code' })),
  ];
}

function cardFor({ params }: ParameterOf<'CarouselCardParameter'>): Card {
  const text = bodyText(params);
  const body = text === '' ? {} : { body: { text } };
  return { header: { format: 'IMAGE' }, ...body, buttons: buttonsFor(params) };
}
