/** Light that crosses an empty petal while somebody is looked for. Gone where less movement is asked for. */
export function Sheen() {
  return <span aria-hidden className="sheen" />
}
