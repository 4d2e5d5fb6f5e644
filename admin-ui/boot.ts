// This runs before the first paint, so that a dark console never flashes white. It is a file, because an inline script
// would need an exception in the CSP.
const stored = localStorage.getItem('mantine-color-scheme-value')
const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')

// The scroll lock of dialogs (react-remove-scroll) adds a style element and takes its nonce from here.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
Object.assign(window, { __webpack_nonce__: nonce })

export {}
