// Makes src/answers.ts, the types of the server's answers, from its own description: node types.mjs < openapi.json > src/answers.ts
import { readFileSync } from 'node:fs';

const { components: { schemas } } = JSON.parse(readFileSync(0, 'utf8'));

function type(schema) {
  const plain = schema.$ref ? schema.$ref.split('/').pop()
    : schema.type === 'array' ? `${schema.items.nullable ? `(${type(schema.items)})` : type(schema.items)}[]`
      : { integer: 'number', number: 'number', string: 'string', boolean: 'boolean' }[schema.type] ?? 'unknown';
  return schema.nullable ? `${plain} | null` : plain;
}

const lines = ['// Made from the description of the API (openapi.json) by types.mjs; a test compares.'];
for (const [name, schema] of Object.entries(schemas)) {
  lines.push(`export interface ${name} {`);
  for (const [field, its] of Object.entries(schema.properties)) lines.push(`  ${field}${schema.required.includes(field) ? '' : '?'}: ${type(its)};`);
  lines.push('}');
}
process.stdout.write(`${lines.join('\n')}\n`);
