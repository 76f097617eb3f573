/** A line of a list of facts. */
export function SourceFact({ name, shown }: { name: string; shown: string }) {
  return (
    <div className="contents">
      <dt className="text-text-2">{name}</dt>
      <dd className="break-words">
        <bdi>{shown}</bdi>
      </dd>
    </div>
  )
}
