/** Light that crosses an empty petal during a search. Absent with reduced motion. */
export function Sheen() {
  return <span aria-hidden className="sheen" />
}
