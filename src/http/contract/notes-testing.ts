/** A small contract with the kinds of operations that the published one may grow: GET, query, 204, text, optional body. */
import type { Caller } from '../../access/client.ts';
import type { Handlers } from './operation.ts';

const id = `{ name: id, in: path, required: true, schema: { type: string, pattern: '^[a-z0-9-]{1,20}$' } }`;
const error = `{ description: Refused., content: { application/json: { schema: { type: object } } } }`;

export const notesYaml = `
openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
security: [{ oauth2: [note.read] }]
components:
  schemas:
    Note: { type: object, required: [text], additionalProperties: false, properties: { text: { type: string, maxLength: 20 } } }
  securitySchemes:
    oauth2: { type: oauth2, flows: { clientCredentials: { tokenUrl: /oauth/token, scopes: { note.read: Read } } } }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 50 } }
        - { name: tag, in: query, schema: { type: array, items: { type: string } } }
        - { name: from, in: query, required: true, schema: { type: string, format: date } }
      responses:
        '200':
          description: Notes.
          content:
            application/json: { schema: { type: object, additionalProperties: true } }
            text/csv: { schema: { type: string } }
        '400': ${error}
  /notes/{id}:
    parameters: [${id}]
    get:
      operationId: getNote
      responses:
        '200': { description: A note., content: { application/json: { schema: { type: object, required: [text], properties: { text: { type: string } } } } } }
    put:
      operationId: putNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '204': { description: Stored. }, '400': ${error} }
    delete:
      operationId: deleteNote
      parameters: [{ name: X-Reason, in: header, required: true, schema: { type: string, maxLength: 10 } }]
      responses: { '204': { description: Gone. }, '400': ${error} }
  /notes/{id}/archive:
    post:
      operationId: archiveNote
      parameters: [${id}]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '202': { description: Queued. }, '400': ${error} }
  /notes/import:
    post:
      operationId: importNotes
      requestBody: { required: true, content: { text/csv: { schema: { type: string } } } }
      responses: { '200': { description: Read., content: { application/json: { schema: { type: object } } } }, '400': ${error} }
`;

interface Note {
  text: string;
}
interface Responses<Status extends number, Content> {
  responses: { [S in Status]: { content: Content } };
}
type Json<T> = { 'application/json': T };
type Refusal = Json<Record<string, unknown>>;

/** The types of the document above, as openapi-typescript writes them. */
interface Operations {
  listNotes: Responses<200, Json<Record<string, unknown>> & { 'text/csv': string }> & {
    parameters: { query: { limit?: number; tag?: string[]; from: string }; path?: never };
    requestBody?: never;
  };
  getNote: Responses<200, Json<Note>> & {
    parameters: { query?: never; path: { id: string } };
    requestBody?: never;
  };
  putNote: {
    parameters: { query?: never; path: { id: string } };
    requestBody: { content: Json<Note> };
    responses: { 204: { content?: never }; 400: { content: Refusal } };
  };
  deleteNote: {
    parameters: { query?: never; path: { id: string }; header: { 'X-Reason': string } };
    requestBody?: never;
    responses: { 204: { content?: never }; 400: { content: Refusal } };
  };
  archiveNote: {
    parameters: { query?: never; path: { id: string } };
    requestBody?: { content: Json<Note> };
    responses: { 202: { content?: never }; 400: { content: Refusal } };
  };
  importNotes: Responses<200, Json<{ lines: number }>> & {
    parameters: { query?: never; path?: never };
    requestBody: { content: { 'text/csv': string } };
  };
}

export interface NotesDocument {
  caller: Caller;
  operations: Operations;
  paths: {
    '/notes': { get: Operations['listNotes']; post?: never };
    '/notes/{id}': {
      get: Operations['getNote'];
      put: Operations['putNote'];
      delete: Operations['deleteNote'];
      post?: never;
    };
    '/notes/{id}/archive': { get?: never; post: Operations['archiveNote'] };
    '/notes/import': { get?: never; post: Operations['importNotes'] };
  };
}

/** Handlers that return what they were called with. */
export const notesHandlers: Handlers<NotesDocument> = {
  listNotes: async ({ query, reply }) =>
    query.tag?.includes('csv')
      ? reply(200, 'text\nhello\n', { 'Content-Type': 'text/csv' })
      : reply(200, { query }, { 'Content-Type': 'application/json' }),
  getNote: async ({ path, reply }) => reply(200, { text: path.id }),
  putNote: async ({ reply }) => reply(204),
  deleteNote: async ({ reply }) => reply(204),
  archiveNote: async ({ body, reply }) => reply(202, undefined, { 'X-Text': body?.text ?? 'none' }),
  importNotes: async ({ body, reply }) => reply(200, { lines: body.split('\n').length }),
};
