/** Shows short labels beside each other: tags, segments, scopes. */
export const Labels = ({ values, limit = values.length }: { values: readonly string[]; limit?: number }) => {
  if (values.length === 0) return <span className="dim">—</span>
  const rest = values.length - limit
  return (
    <span className="labels">
      {values.slice(0, limit).map((value) => (
        <span key={value} className="label">
          {value}
        </span>
      ))}
      {rest > 0 && <span className="dim">+{rest}</span>}
    </span>
  )
}
