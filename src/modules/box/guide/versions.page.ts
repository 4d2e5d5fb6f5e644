import { build } from '../../../platform/embedded.ts'

/** Explains what integrators may rely on. */
export const versionsPage = (): string => `# Versions

The version of the API is in its path: \`/v1\`. Within \`/v1\` things are added and nothing is taken away or given another meaning. The version of the program, here ${build().version}, is in the [document](/docs/json) under \`info.version\`; what each one brought is under [Changes](/docs/guide/changelog).

## What may come without notice

A client must not break when it meets one of these:

- a new operation, a new optional field of a body, a new parameter
- a new field in an answer, in an event’s payload or in a problem
- a new event: subscriptions name theirs, so none comes unasked
- a new value where an answer lists values, such as a status: keep a branch for the rest
- a new \`code\` of a problem or of a field: go by the \`status\` then
- other words in \`title\`, \`detail\`, \`message\` and in descriptions
- a new header; another order of keys in an object
- longer ids, keys and cursors, or others of another look: they are opaque
- limits of requests and sizes, which whoever runs the server sets

## What does not change within \`/v1\`

- the path, method and meaning of an operation, and the scope and role that it asks for, save where a hole has to be closed
- the name, type and meaning of a field; a field that is always there stays so
- what is required: no optional field of a body becomes a required one
- the status and the \`code\` of a refusal
- the envelope of an event, and how deliveries are signed
- amounts as decimal strings, times as ISO 8601 in UTC, lists as \`{data, nextCursor}\`

A test compares the document of each build with the one before, so that none of this happens unseen.

## How a breaking change would come

1. The changes are named under [Changes](/docs/guide/changelog), with what to use instead.
2. What is to go is marked \`deprecated\` in the document. Its answers carry \`Deprecation\`, and \`Sunset\` with the day from which on it may be gone, at least six months ahead.
3. What replaces it is there before, under \`/v1\` where it can be added, else under \`/v2\` beside it.

There is one exception: a hole. Where a rule let somebody take money or read papers who must not, it is closed at once and named under Changes. So it was when deciding about money got scopes of its own.

Whoever runs this server decides when it is upgraded. Read Changes before, and try your integration against the demo of the new version: \`brokerbase demo\`.
`
