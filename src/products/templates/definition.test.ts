/** The rules on templates before they are filled. */
import { describe, expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { faultsOfDefinition } from './definition.ts';
import type { ParamDefinition } from './template.ts';

const plain = (name: string, more: Partial<ParamDefinition> = {}): ParamDefinition => ({
  name,
  format: 'PlainText',
  required: true,
  ...more,
});

describe('a template is accepted', () => {
  testEvery<[string, string, ParamDefinition[]]>([
    ['without placeholders', 'Habari', []],
    ['of 960 characters, however wide', '😀'.repeat(960), []],
    [
      'with an optional parameter that has a default',
      '{{x}}',
      [plain('x', { required: false, default: 'a' })],
    ],
    [
      'with a default that keeps its rules',
      '{{n}}',
      [plain('n', { format: 'Numeric', default: '12', maxLength: 2 })],
    ],
  ])('%s', (_rule, content, paramDefinitions) => {
    expect(faultsOfDefinition({ content, paramDefinitions })).toEqual([]);
  });
});

describe('a template is rejected', () => {
  const braces = 'the content has braces that are no placeholder such as {{name}} or {{1}}';
  testEvery<[string, string, ParamDefinition[], string[]]>([
    ['empty', ' \n', [], ['the content is empty']],
    ['of 961 characters', 'a'.repeat(961), [], ['the content has 961 characters, more than 960']],
    ['with spaces in a placeholder', 'Habari {{ name }}', [], [braces]],
    [
      'with a description of a missing placeholder',
      'Habari',
      [plain('x')],
      ['parameter x has no placeholder in the content'],
    ],
    [
      'with two descriptions of one placeholder',
      '{{x}}',
      [plain('x'), plain('x')],
      ['parameter x is described twice'],
    ],
    [
      'with a default of another format',
      '{{x}}',
      [plain('x', { format: 'Numeric', default: 'a' })],
      ['the default of parameter x breaks its own rules'],
    ],
    [
      'with an optional parameter that has no default',
      '{{x}}',
      [plain('x', { required: false })],
      ['parameter x is optional and needs a default'],
    ],
    [
      'for all its faults',
      '{',
      [plain('x', { default: '' })],
      [
        braces,
        'parameter x has no placeholder in the content',
        'the default of parameter x breaks its own rules',
      ],
    ],
  ])('%s', (_rule, content, paramDefinitions, faults) => {
    expect(faultsOfDefinition({ content, paramDefinitions })).toEqual(faults);
  });
});
