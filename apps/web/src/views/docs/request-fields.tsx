import { createInlineSchema, type RequestBody } from '@touchstone/contract';
import { z } from 'zod';
import { CodedText } from './coded-text.tsx';

/** Field of a request body. A nested field has the path of its parent, such as `delivery.slack_url`. */
interface Field {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

interface SchemaNode {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, SchemaNode>> | undefined;
  readonly anyOf?: readonly SchemaNode[] | undefined;
}

const nodeSchema: z.ZodType<SchemaNode> = z.object({
  type: z.string().optional(),
  description: z.string().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), nodeSchema).optional();
  },
  get anyOf() {
    return z.array(nodeSchema).optional();
  },
});

/** List of the fields of a request body, each with its type and description. */
export function RequestFields({ requestBody }: { readonly requestBody: RequestBody }) {
  const fields = listFields(nodeSchema.parse(createInlineSchema(requestBody.schema, 'input')));
  return (
    <ul className="mb-1 space-y-1">
      {fields.map(({ path, type, isRequired, description }) => (
        <li key={path}>
          <code>{path}</code>{' '}
          <span className="text-ink-soft">
            {type}, {isRequired ? 'required' : 'optional'}
          </span>
          : <CodedText text={description} />
        </li>
      ))}
    </ul>
  );
}

function listFields({ properties = {}, required = [] }: SchemaNode, parent = ''): readonly Field[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const path = `${parent}${name}`;
    const { description = '' } = node;
    return [
      { path, type: formatType(node), isRequired: required.includes(name), description },
      ...listFields(node, `${path}.`),
    ];
  });
}

function formatType({ type, anyOf = [] }: SchemaNode): string {
  return type ?? anyOf.map(formatType).join(' or ');
}
