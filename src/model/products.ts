/** How the products differ for the parts of the service that they share: a product without a row does not compile. */
import type { Product } from './plan.ts';

interface ProductRules {
  /** As the contracts name it. */
  name: string;
  /** The final states of messages, as receipts publish them. */
  finalStates: readonly string[];
  /**
   * The steps before. Scheduled: its time has not come. Queued: with us. Sending: on its way to a network that must not get it twice. Submitted: a
   * network has it and owes a report.
   */
  steps: readonly string[];
  /** The steps of which clients get receipts, besides final states. */
  announcedSteps: readonly string[];
  /** Steps that lead to these final states only. */
  leadsOnlyTo: { readonly [step: string]: readonly string[] };
  /** The states in which the recipient has it. */
  goodStates: readonly string[];
  /** What 72 hours without a report end in. */
  stateOfSilence: string;
  /** Whether networks are queried about accepted messages without a report; a connector that cannot gets none. */
  queried: boolean;
  /** Whether units are refunded when a network rejects a message that it had accepted. */
  refundedAfterSubmission: boolean;
  /** Whether the content is the client's own text, which is kept for a time only; a bundle's is its denomination. */
  contentErased: boolean;
  /** The operation that accepts requests for the product. */
  operation: string;
  /** Whose validity limits how long a message waits for its network. */
  validityOf: 'sending service' | "campaign's service" | 'settings';
}

export const products = {
  sms: {
    name: 'Sms',
    finalStates: [
      'Delivered',
      'DeliveryUncertain',
      'DeliveryImpossible',
      'SenderBlacklisted',
      'SubscriberOptedOut',
      'AbsentSubscriber',
      'InvalidMsisdn',
      'Failed',
      'Expired',
      'Cancelled',
    ],
    steps: ['Scheduled', 'Queued', 'Submitted'],
    announcedSteps: [],
    leadsOnlyTo: {},
    goodStates: ['Delivered'],
    stateOfSilence: 'DeliveryUncertain',
    queried: false,
    refundedAfterSubmission: false,
    contentErased: true,
    operation: 'sendSms',
    validityOf: 'sending service',
  },
  data: {
    name: 'MobileData',
    finalStates: [
      'Delivered',
      'Uncertain',
      'Failed',
      'InvalidMsisdn',
      'InvalidDenomination',
      'Duplicated',
      'Expired',
      'Cancelled',
    ],
    steps: ['Scheduled', 'Queued', 'Sending', 'Submitted'],
    announcedSteps: [],
    leadsOnlyTo: {},
    goodStates: ['Delivered'],
    stateOfSilence: 'Uncertain',
    // No bundle may be given twice, so none is submitted to a network that cannot be queried.
    queried: true,
    refundedAfterSubmission: true,
    contentErased: false,
    operation: 'disburseMobileData',
    validityOf: "campaign's service",
  },
  chatapp: {
    name: 'ChatApp',
    finalStates: ['Read', 'SubscriberOptedOut', 'Failed', 'Uncertain', 'Expired', 'Cancelled'],
    steps: ['Scheduled', 'Queued', 'Sending', 'Submitted', 'Sent', 'Delivered'],
    announcedSteps: ['Sent', 'Delivered'],
    leadsOnlyTo: { Delivered: ['Read'] },
    goodStates: ['Delivered', 'Read'],
    stateOfSilence: 'Uncertain',
    queried: false,
    refundedAfterSubmission: false,
    contentErased: true,
    operation: 'sendChatAppTemplate',
    validityOf: 'settings',
  },
} as const satisfies Record<Product, ProductRules>;

/** The rules of a product as any product has them. */
export const rulesOf = (product: Product): ProductRules => products[product];

export const productNames = Object.keys(products) as Product[];

/** A product as the contracts name it. */
export type ProductName = (typeof products)[Product]['name'];

export const productOfName = Object.fromEntries(
  productNames.map((product) => [products[product].name, product]),
) as Readonly<Record<ProductName, Product>>;

type Flag = 'queried' | 'refundedAfterSubmission' | 'contentErased';

/** Products for which a rule holds. */
export function productsWith(rule: Flag): Product[] {
  return productNames.filter((product) => products[product][rule]);
}

/** SQL: whether a rule holds for the product in a column. */
export function holdsFor(rule: Flag, column: string): string {
  return `${column} = any('{${productsWith(rule)}}')`;
}
