import { Code } from '@mantine/core'

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** JSON, or any other text, in a box that scrolls by itself. Text that is JSON is indented. */
export const JsonBlock = ({ value, label }: { value: unknown; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
  <section className="json" aria-label={label} tabIndex={0}>
    <Code block>{typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)}</Code>
  </section>
)
