/**
 * Words of a search as an FTS5 query: each a prefix (a single letter begins too much, it is a word),
 * all needed, the tenant's own token first, so that a match never leaves the tenant. The words are
 * split as the tokenizer split the stored text, and quoted, so that nobody writes FTS5 syntax.
 */
export function matchQuery(tenantId: string, text: string): string {
  const words = text
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '')
    .slice(0, 8)
  // no tenant is called so: a search for nothing searchable finds nothing
  if (words.length === 0) return 'tenant : "nobody"'
  return `tenant : "${tenantId}" AND text : (${words.map((word) => (word.length > 1 ? `"${word}" *` : `"${word}"`)).join(' AND ')})`
}
