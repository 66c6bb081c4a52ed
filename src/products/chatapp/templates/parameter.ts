/** The tagged parameters and their faults, by the names of the contract. */
import type { components } from '../../../../generated/openapi.d.ts';

type Schemas = components['schemas'];

/** Fills one place of a template. */
export type ChatAppParameter = Schemas['ChatAppParameter'];
export type ParameterKind = ChatAppParameter['type'];
export type ParameterOf<Kind extends ParameterKind> = Extract<ChatAppParameter, { type: Kind }>;

/** What is wrong with a parameter, or with a component as the parameters fill it. */
export type Fault = Schemas['ChatAppFault'];
export type ComponentType = Schemas['ComponentError']['componentType'];

export const parameterFault = (parameterType: ParameterKind, error: string): Fault => ({
  type: 'ParameterError',
  parameterType,
  error,
});

export const componentFault = (componentType: ComponentType, error: string): Fault => ({
  type: 'ComponentError',
  componentType,
  error,
});
