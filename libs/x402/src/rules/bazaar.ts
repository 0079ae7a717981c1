import { checkBody, checkMethod, checkTool, checkType } from './bazaar-input.ts';
import { isRouteTemplate, type Bazaar } from '../bazaar.ts';
import { isObject } from '../is-object.ts';
import { member } from '../member.ts';
import { fitsTemplate, parseWebUrl } from '../resource-url.ts';
import { expect, type Outcome, type Rule, type Subject } from './rule.ts';
import { definesProperty } from '../schema/defines-property.ts';
import { quote } from '../text.ts';
import { validateJson } from '../schema/validate-json.ts';

/** A check of the discovery extension; skipped where there is none. */
function onBazaar(judge: (bazaar: Bazaar, subject: Subject) => Outcome): Rule['check'] {
  return (subject) => {
    const bazaar = subject.v2?.bazaar ?? null;
    return bazaar === null ? 'skip' : judge(bazaar, subject);
  };
}

/** A check of an `input` of one type; skipped for any other. */
function onInput(type: 'http' | 'mcp', judge: (input: object) => Outcome): Rule['check'] {
  return onBazaar(({ input }) => (isObject(input) && member(input, 'type') === type ? judge(input) : 'skip'));
}

function checkPresent({ v2 }: Subject): Outcome {
  const extensions = v2?.fields.extensions ?? {};
  // What is no object is the finding of the rule on extensions.
  if (v2 === null || !isObject(extensions)) return 'skip';
  return expect(
    v2.bazaar !== null,
    'There is no bazaar extension, so directories that index by it do not list the resource.',
  );
}

function checkInfo({ extension, info, input }: Bazaar): Outcome {
  if (!isObject(extension))
    return { message: `The bazaar extension is ${quote(extension)}; it must be an object.` };
  if (!isObject(info)) return { message: `info of bazaar is ${quote(info)}; it must be an object.` };
  return expect(isObject(input), () => `info.input of bazaar is ${quote(input)}; it must be an object.`);
}

function checkSchema({ extension, schema }: Bazaar, { schemaFaults }: Subject): Outcome {
  if (!isObject(extension)) return 'skip';
  if (!isObject(schema)) return { message: `schema of bazaar is ${quote(schema)}; it must be an object.` };
  const fault = schemaFaults?.form ?? null;
  if (fault !== null) return { message: `schema of bazaar is no JSON Schema of draft 2020-12: ${fault}.` };
  return expect(
    definesProperty(schema, 'input'),
    'schema of bazaar defines no input; info.input must be described under properties.input.',
  );
}

function checkLocalReferences(_: Bazaar, { schemaFaults }: Subject): Outcome {
  if (schemaFaults === null) return 'skip';
  const { reference } = schemaFaults;
  return expect(
    reference === null,
    () => `schema of bazaar must refer to nothing outside itself: ${reference ?? ''}.`,
  );
}

/** What a finer rule says of `input` is not said again; that it breaks the schema as well goes without saying. */
const INPUT_CHECKS = [checkMethod, checkBody, checkTool];

/** Says nothing where all holds but what is not evaluated, such as a pattern: facilitators may refuse that. */
function checkValidates({ info, input, schema }: Bazaar, { schemaFaults }: Subject): Outcome {
  if (!isObject(input) || !isObject(schema) || checkType(input) !== 'pass') return 'skip';
  if (INPUT_CHECKS.some((check) => isFailure(check(input)))) return 'skip';
  if (schemaFaults?.form !== null || schemaFaults.reference !== null) return 'skip';
  const validation = validateJson(info, schema);
  if (validation === 'undecided') return 'skip';
  return validation === 'valid'
    ? 'pass'
    : { message: `info of bazaar does not match its own schema at ${validation.fault}` };
}

function isFailure(outcome: Outcome): boolean {
  return typeof outcome === 'object' && outcome.severity !== 'warning';
}

function checkOutputType({ output }: Bazaar): Outcome {
  if (output === undefined || output === null) return 'skip';
  if (!isObject(output))
    return { message: `info.output of bazaar is ${quote(output)}; it must be an object.` };
  const type = member(output, 'type');
  return expect(
    typeof type === 'string' && type !== '',
    () => `info.output.type of bazaar is ${quote(type)}; it must say what the answer is, as in json or text.`,
  );
}

/** Without an `output`, a tool answers text by definition, and needs no example. */
function checkOutputExample({ input, output }: Bazaar): Outcome {
  const shown = output ?? {};
  if (!isObject(input) || !isObject(shown) || (output === undefined && member(input, 'type') === 'mcp'))
    return 'skip';
  return expect(
    (member(shown, 'example') ?? null) !== null,
    'info.output of bazaar has no example; a buyer cannot see what the money buys.',
  );
}

function checkRouteTemplate({ routeTemplate }: Bazaar, { url }: Subject): Outcome {
  if (routeTemplate === undefined || routeTemplate === null) return 'skip';
  if (!isRouteTemplate(routeTemplate)) {
    return {
      message: `routeTemplate of bazaar is ${quote(routeTemplate)}; it must be a path like /users/:id.`,
    };
  }
  const requested = parseWebUrl(url);
  if (requested === null) return 'pass';
  return expect(
    fitsTemplate(routeTemplate, requested.pathname),
    () =>
      `routeTemplate of bazaar is ${quote(routeTemplate)}, which the path that was requested does not fit.`,
  );
}

function checkParameterNames({ routeTemplate }: Bazaar): Outcome {
  if (!isRouteTemplate(routeTemplate)) return 'skip';
  return expect(
    !/:var\d+(\/|$)/.test(routeTemplate),
    () =>
      `routeTemplate of bazaar is ${quote(routeTemplate)}; a parameter made from a wildcard tells nobody what to put there.`,
  );
}

/** Rules on the discovery extension of a version 2 envelope. */
export const BAZAAR_RULES: readonly Rule[] = [
  {
    id: 'bazaar-present',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'The challenge describes the resource to directories by the bazaar extension.',
    fix: 'Declare the bazaar extension, with the input a request takes and an example of the output.',
    reference: { source: 'BAZAAR', clause: 'PaymentRequired' },
    check: checkPresent,
  },
  {
    id: 'bazaar-info',
    axis: 'discoverable',
    severity: 'error',
    holds: 'The bazaar extension has an info with an input.',
    fix: 'Give the bazaar extension an info object whose input says how to call the resource.',
    reference: { source: 'BAZAAR', clause: 'Discovery Info Structure' },
    check: onBazaar(checkInfo),
  },
  {
    id: 'bazaar-schema',
    axis: 'discoverable',
    severity: 'error',
    holds: 'The schema of the bazaar extension is a JSON Schema of draft 2020-12 that defines the input.',
    fix: 'Make the schema of the bazaar extension a JSON Schema of draft 2020-12 with the input under properties.',
    reference: { source: 'BAZAAR', clause: 'Schema Validation' },
    check: onBazaar(checkSchema),
  },
  {
    id: 'bazaar-schema-local-refs',
    axis: 'discoverable',
    severity: 'error',
    holds: 'The schema of the bazaar extension refers to nothing outside itself.',
    fix: 'Put what $ref and $id of the schema point at into the schema, and refer to it by #/….',
    reference: { source: 'BAZAAR', clause: 'Schema Validation' },
    check: onBazaar(checkLocalReferences),
  },
  {
    id: 'bazaar-info-validates',
    axis: 'discoverable',
    severity: 'error',
    holds: 'info of the bazaar extension matches its schema.',
    fix: 'Make info and schema of the bazaar extension agree; facilitators validate one by the other before they list.',
    reference: { source: 'BAZAAR', clause: 'Schema Validation' },
    check: onBazaar(checkValidates),
  },
  {
    id: 'bazaar-input-type',
    axis: 'discoverable',
    severity: 'error',
    holds: 'info.input of the bazaar extension is of type http or mcp.',
    fix: 'Set info.input.type to http for an endpoint, or to mcp for a tool.',
    reference: { source: 'BAZAAR', clause: 'Input Type Discriminator' },
    check: onBazaar(({ input }) => (isObject(input) ? checkType(input) : 'skip')),
  },
  {
    id: 'bazaar-method',
    axis: 'discoverable',
    severity: 'error',
    holds: 'The bazaar extension names the method of the request, in capitals.',
    fix: 'Set info.input.method to GET, HEAD, DELETE, POST, PUT or PATCH.',
    reference: { source: 'BAZAAR', clause: 'Input Types' },
    check: onInput('http', checkMethod),
  },
  {
    id: 'bazaar-body',
    axis: 'discoverable',
    severity: 'error',
    holds: 'The bazaar extension describes a body for POST, PUT and PATCH, and for no other method.',
    fix: 'Give info.input a bodyType of json, form-data or text with a body for POST, PUT and PATCH, and neither for others.',
    reference: { source: 'BAZAAR', clause: 'Body Methods' },
    check: onInput('http', checkBody),
  },
  {
    id: 'bazaar-mcp',
    axis: 'discoverable',
    severity: 'error',
    holds: 'The bazaar extension of a tool has its name, its input schema and a known transport.',
    fix: 'Set info.input.toolName and inputSchema, and transport to streamable-http or sse or not at all.',
    reference: { source: 'BAZAAR', clause: 'MCP Tools' },
    check: onInput('mcp', checkTool),
  },
  {
    id: 'bazaar-output-type',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'info.output of the bazaar extension, where given, has a type.',
    fix: 'Set info.output.type to what the answer is, as in json or text.',
    reference: { source: 'BAZAAR', clause: 'Output Types' },
    check: onBazaar(checkOutputType),
  },
  {
    id: 'bazaar-output-example',
    axis: 'discoverable',
    severity: 'info',
    holds: 'info.output of the bazaar extension shows an answer.',
    fix: 'Add an example of a paid answer as info.output.example.',
    reference: { source: 'BAZAAR', clause: 'Output Types' },
    check: onBazaar(checkOutputExample),
  },
  {
    id: 'bazaar-route-template',
    axis: 'discoverable',
    severity: 'error',
    holds:
      'routeTemplate of the bazaar extension, where given, is a path with parameters that fits the request.',
    fix: 'Set routeTemplate to the public path with a :name for each parameter.',
    reference: { source: 'BAZAAR', clause: 'routeTemplate Validation Rules' },
    check: onBazaar(checkRouteTemplate),
  },
  {
    id: 'bazaar-anonymous-params',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'The parameters of routeTemplate have names.',
    fix: 'Name the parameters of the route in place of wildcards.',
    reference: { source: 'BAZAAR', clause: 'Dynamic Routes' },
    check: onBazaar(checkParameterNames),
  },
];
