/** Lists files of the server whose texts no firm and no client reads, with their readers. */
export const NOT_FOR_PEOPLE: readonly [files: RegExp, readers: string][] = [
  [/\.table\.ts$/, 'developers: columns, and why a column is kept when a person is forgotten'],
  [/\/(merges|privacy)\.plan\.ts$/, 'developers: why a table is left as it is'],
  [/\/box\/guide\//, 'developers of the firm: the guide to the interface, which is English as the interface is'],
  [/\/(http\/openapi\/[\w-]+|platform\/problem-codes)\.ts$/, 'developers of the firm: documents of the interface'],
  [
    /\/(access|events)\/catalogue\.ts$/,
    'developers of the firm: what scopes are, and samples of events, in the same documents',
  ],
  [/\/parquet\/free-text\.ts$/, 'developers: why a text may be in files for analysis'],
  [/\/sandbox\.catalogue\.ts$/, 'developers of the firm: what a query may read'],
  [/\/platform\/(replication|tls|db|seals|events\/sink)\//, 'operators: the log and the terminal'],
  [
    /\/platform\/(readiness|secrets|key-file|file-rights|recovery-key|recovery-words)\.ts$/,
    'operators: the log and the terminal',
  ],
  [/\/box\/boxes\/proxy-config\.ts$/, 'operators: the file of their proxy'],
  [/\/terminals\/simulator\//, 'programs: answers of a simulated server'],
  [/\/box\/backups\//, 'operators: the log and the terminal'],
  [/\/query-runner\/task\.ts$/, 'the log, and the code that tells by them why a child was stopped'],
  [/\/http\/front\/console\.ts$/, 'developers: the page that stands there while no console is built'],
]

/** Matches calls whose texts are documents of the interface, figures for operators, names of keys, or log errors. */
export const UNREAD_CALLS =
  /^(Error|RangeError|TypeError|super|op|declareRoutes|statement|sql\.raw|Type\.\w+|OneOf|EventStream|SearchText|Share|day|filter|rowSearch|timeFilter|flagFilter|TimeParam|worded)$|\bmetrics\.\w+$|\blog\.\w+$|\bsign$/

/** In these files a `description` documents a field of the interface. */
export const DESCRIBED = /\.(model|routes)\.ts$/
