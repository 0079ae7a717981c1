import { isJsonObject } from '@touchstone/common';
import { checkBody, checkMethod, checkTool, checkType } from './bazaar-input.ts';
import { isRouteTemplate, type Bazaar } from '../../challenge/bazaar-extension.ts';
import { readMember, quote } from '../../json/untrusted-json.ts';
import { matchesTemplate, parseHttpUrl } from '../../urls/resource-url.ts';
import {
  listRequestUrls,
  passIf,
  type NotEvaluated,
  type Outcome,
  type Rule,
  type RuleInput,
} from '../rule.ts';
import { definesProperty } from '../../schema/schema-faults.ts';
import { validateInfo } from '../../schema/validate-info.ts';

/** Creates a check of the discovery extension. The check skips responses without that extension. */
function checkBazaar(check: (bazaar: Bazaar, ruleInput: RuleInput) => Outcome | NotEvaluated): Rule['check'] {
  return (ruleInput) => {
    const bazaar = ruleInput.v2?.bazaar ?? null;
    return bazaar === null ? 'skip' : check(bazaar, ruleInput);
  };
}

/** Creates a check of `info.input` for one input type. The check skips inputs of the other type. */
function checkBazaarInput(type: 'http' | 'mcp', check: (input: object) => Outcome): Rule['check'] {
  return checkBazaar(({ input }) =>
    isJsonObject(input) && readMember(input, 'type') === type ? check(input) : 'skip',
  );
}

function checkPresent({ v2 }: RuleInput): Outcome {
  const extensions = v2?.fields.extensions ?? {};
  // The rule `ext-object` reports a member `extensions` that is not an object.
  if (v2 === null || !isJsonObject(extensions)) return 'skip';
  return passIf(
    v2.bazaar !== null,
    'There is no bazaar extension, so directories that require it do not list the resource.',
  );
}

function checkInfo({ extension, info, input }: Bazaar): Outcome {
  if (!isJsonObject(extension))
    return { message: `The bazaar extension is ${quote(extension)}; it must be an object.` };
  if (!isJsonObject(info)) return { message: `bazaar.info is ${quote(info)}; it must be an object.` };
  return passIf(isJsonObject(input), () => `bazaar.info.input is ${quote(input)}; it must be an object.`);
}

/** Checks that the schema is valid and describes `info.input`. Skips a schema with an unsupported keyword. */
function checkSchema({ extension, schema }: Bazaar, { schemaFaults }: RuleInput): Outcome | NotEvaluated {
  if (!isJsonObject(extension)) return 'skip';
  if (!isJsonObject(schema)) return { message: `bazaar.schema is ${quote(schema)}; it must be an object.` };
  const fault = schemaFaults?.form ?? null;
  if (fault !== null) return { message: `bazaar.schema is not a JSON Schema of draft 2020-12: ${fault}.` };
  const unchecked = schemaFaults?.uncheckedKeyword ?? null;
  if (unchecked !== null)
    return {
      skipReason: `bazaar.schema has the keyword ${quote(unchecked)}, which this rule does not check.`,
    };
  return passIf(
    definesProperty(schema, 'input'),
    'bazaar.schema does not describe info.input; it must do so under properties.input.',
  );
}

function checkLocalReferences(_: Bazaar, { schemaFaults }: RuleInput): Outcome {
  if (schemaFaults === null) return 'skip';
  const { reference } = schemaFaults;
  return passIf(
    reference === null,
    () => `bazaar.schema must not reference anything outside itself: ${reference ?? ''}.`,
  );
}

/**
 * Checks of `info.input` that belong to separate rules. If an input fails such a check, no schema mismatch is reported.
 */
const INPUT_CHECKS = [checkMethod, checkBody, checkTool];

/** Validates `info` against `schema`. Skips a large schema, and a schema with a keyword that is not evaluated. */
function checkValidates(
  { info, input, schema }: Bazaar,
  { schemaFaults }: RuleInput,
): Outcome | NotEvaluated {
  if (!isJsonObject(input) || !isJsonObject(schema) || checkType(input) !== 'pass') return 'skip';
  if (INPUT_CHECKS.some((check) => isFailure(check(input)))) return 'skip';
  if (schemaFaults?.form !== null || schemaFaults.reference !== null) return 'skip';
  const validation = validateInfo(info, schema);
  if (validation === 'valid') return 'pass';
  return 'skipReason' in validation
    ? validation
    : { message: `bazaar.info does not match bazaar.schema at ${validation.fault}` };
}

function isFailure(outcome: Outcome): boolean {
  return typeof outcome === 'object' && outcome.severity !== 'warning';
}

function checkOutputType({ output }: Bazaar): Outcome {
  if (output === undefined || output === null) return 'skip';
  if (!isJsonObject(output))
    return { message: `bazaar.info.output is ${quote(output)}; it should be an object.` };
  const type = readMember(output, 'type');
  return passIf(
    typeof type === 'string' && type !== '',
    () => `bazaar.info.output.type is ${quote(type)}; it should be a string such as "json" or "text".`,
  );
}

/**
 * Checks that the extension contains an example of the output. An MCP tool without `output` returns text by definition,
 * so it needs no example.
 */
function checkOutputExample({ input, output }: Bazaar): Outcome {
  const shown = output ?? {};
  if (
    !isJsonObject(input) ||
    !isJsonObject(shown) ||
    (output === undefined && readMember(input, 'type') === 'mcp')
  )
    return 'skip';
  return passIf(
    (readMember(shown, 'example') ?? null) !== null,
    'bazaar.info.output has no example, so buyers cannot see what they pay for.',
  );
}

function checkRouteTemplate({ routeTemplate }: Bazaar, input: RuleInput): Outcome {
  if (routeTemplate === undefined || routeTemplate === null) return 'skip';
  if (!isRouteTemplate(routeTemplate)) {
    return {
      message: `bazaar.routeTemplate is ${quote(routeTemplate)}; it must be a path such as /users/:id.`,
    };
  }
  const requested = listRequestUrls(input).flatMap((url) => parseHttpUrl(url) ?? []);
  if (requested.length === 0) return 'pass';
  return passIf(
    requested.some(({ pathname }) => matchesTemplate(routeTemplate, pathname)),
    () => `bazaar.routeTemplate is ${quote(routeTemplate)}, which does not match the requested path.`,
  );
}

function checkParameterNames({ routeTemplate }: Bazaar): Outcome {
  if (!isRouteTemplate(routeTemplate)) return 'skip';
  return passIf(
    !/:var\d+(\/|$)/.test(routeTemplate),
    () =>
      `bazaar.routeTemplate is ${quote(routeTemplate)}; a parameter named var1, var2, … does not tell clients which value to use.`,
  );
}

/** Rules for the discovery extension of a version 2 challenge. */
export const BAZAAR_RULES: readonly Rule[] = [
  {
    id: 'bazaar-present',
    level: ['discoverable', 'warning'],
    requirement: 'The challenge has the bazaar extension, which describes the resource to directories.',
    fix: 'Add the bazaar extension with the request input and an example of the output.',
    reference: { source: 'BAZAAR', clause: 'PaymentRequired' },
    check: checkPresent,
  },
  {
    id: 'bazaar-info',
    level: ['discoverable', 'error'],
    requirement: 'The bazaar extension has an info object with an input.',
    fix: 'Give the bazaar extension an info object whose input describes how to call the resource.',
    reference: { source: 'BAZAAR', clause: 'Discovery Info Structure' },
    check: checkBazaar(checkInfo),
  },
  {
    id: 'bazaar-schema',
    level: ['discoverable', 'error'],
    requirement:
      'The schema of the bazaar extension is a JSON Schema of draft 2020-12 that defines the input.',
    fix: 'Make the schema of the bazaar extension a JSON Schema of draft 2020-12 that describes the input under properties.input.',
    reference: { source: 'BAZAAR', clause: 'Schema Validation' },
    check: checkBazaar(checkSchema),
  },
  {
    id: 'bazaar-schema-local-refs',
    level: ['discoverable', 'error'],
    requirement: 'The schema of the bazaar extension has no external references.',
    fix: 'Copy the targets of $ref and $id into the schema, and reference them with #/….',
    reference: { source: 'BAZAAR', clause: 'Schema Validation' },
    check: checkBazaar(checkLocalReferences),
  },
  {
    id: 'bazaar-info-validates',
    level: ['discoverable', 'error'],
    requirement: 'The info of the bazaar extension matches its schema.',
    fix: 'Make info and schema of the bazaar extension agree. Facilitators validate info against schema before they list an endpoint.',
    reference: { source: 'BAZAAR', clause: 'Schema Validation' },
    check: checkBazaar(checkValidates),
  },
  {
    id: 'bazaar-input-type',
    level: ['discoverable', 'error'],
    requirement: 'The type of info.input in the bazaar extension is http or mcp.',
    fix: 'Set info.input.type to http for an HTTP endpoint, or to mcp for an MCP tool.',
    reference: { source: 'BAZAAR', clause: 'Input Type Discriminator' },
    check: checkBazaar(({ input }) => (isJsonObject(input) ? checkType(input) : 'skip')),
  },
  {
    id: 'bazaar-method',
    level: ['discoverable', 'error'],
    requirement: 'The bazaar extension names the request method in upper case.',
    fix: 'Set info.input.method to GET, HEAD, DELETE, POST, PUT or PATCH.',
    reference: { source: 'BAZAAR', clause: 'Input Types' },
    check: checkBazaarInput('http', checkMethod),
  },
  {
    id: 'bazaar-body',
    level: ['discoverable', 'error'],
    requirement:
      'The bazaar extension describes a request body for POST, PUT and PATCH, and for no other method.',
    fix: 'For POST, PUT and PATCH, set info.input.body, and info.input.bodyType to json, form-data or text. For other methods, omit both.',
    reference: { source: 'BAZAAR', clause: 'Body Methods' },
    check: checkBazaarInput('http', checkBody),
  },
  {
    id: 'bazaar-mcp',
    level: ['discoverable', 'error'],
    requirement:
      'The bazaar extension of an MCP tool has a tool name, an input schema and a known transport.',
    fix: 'Set info.input.toolName and info.input.inputSchema. Set info.input.transport to streamable-http or sse, or omit it.',
    reference: { source: 'BAZAAR', clause: 'MCP Tools' },
    check: checkBazaarInput('mcp', checkTool),
  },
  {
    id: 'bazaar-output-type',
    level: ['discoverable', 'warning'],
    requirement: 'info.output in the bazaar extension, if present, has a type.',
    fix: 'Set info.output.type to the type of the response, such as json or text.',
    reference: { source: 'BAZAAR', clause: 'Output Types' },
    check: checkBazaar(checkOutputType),
  },
  {
    id: 'bazaar-output-example',
    level: ['discoverable', 'info'],
    requirement: 'info.output in the bazaar extension has an example.',
    fix: 'Add an example of a paid response as info.output.example.',
    reference: { source: 'BAZAAR', clause: 'Output Types' },
    check: checkBazaar(checkOutputExample),
  },
  {
    id: 'bazaar-route-template',
    level: ['discoverable', 'error'],
    requirement:
      'routeTemplate in the bazaar extension, if present, is a path with parameters that matches the request.',
    fix: 'Set routeTemplate to the public path, with a :name for each parameter.',
    reference: { source: 'BAZAAR', clause: 'routeTemplate Validation Rules' },
    check: checkBazaar(checkRouteTemplate),
  },
  {
    id: 'bazaar-anonymous-params',
    level: ['discoverable', 'warning'],
    requirement: 'The parameters of routeTemplate have names.',
    fix: 'Replace the wildcards in the route with named parameters.',
    reference: { source: 'BAZAAR', clause: 'Dynamic Routes' },
    check: checkBazaar(checkParameterNames),
  },
];
