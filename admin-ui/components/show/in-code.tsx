/** Shows a sentence of the API, whose names of fields are between backticks. */
export const InCode = ({ text }: { text: string }) =>
  // Every second part was between two backticks.
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
