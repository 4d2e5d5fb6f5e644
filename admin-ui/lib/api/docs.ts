/** Returns whether the server offers the explorer and the guide at /docs, as its page says. */
export const hasDocs = (): boolean => document.querySelector<HTMLMetaElement>('meta[name="docs"]')?.content !== 'off'
