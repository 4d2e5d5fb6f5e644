/** A sentence of the API in which names of fields stand between backticks. */
export const InCode = ({ text }: { text: string }) =>
  // Every second part stood between two of them.
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
