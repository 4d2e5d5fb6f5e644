// Runs before the first paint, so that a dark console never
// flashes white. An inline script would need a hole in the CSP.
const stored = localStorage.getItem('mantine-color-scheme-value')
const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')

// Where the scroll lock of dialogs (react-remove-scroll) looks for the nonce of the style element that it adds.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
Object.assign(window, { __webpack_nonce__: nonce })

export {}
