/** Files that are imported as text by `with { type: 'text' }`. */
declare module '*.mjs' {
  const text: string
  export default text
}
declare module '*.py' {
  const text: string
  export default text
}
declare module '*.go' {
  const text: string
  export default text
}
declare module '*.md' {
  const text: string
  export default text
}
declare module '*/guide.css' {
  const text: string
  export default text
}
