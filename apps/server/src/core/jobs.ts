export interface JobListed {
  readonly name: string
  readonly summary: string
  readonly cron: string | null
  readonly zone: string
}

/** The jobs of the app as commands and tests use them. */
export interface Jobs {
  /** Runs the job in this process, waits for it, and throws its error. */
  run(name: string): Promise<void>
  list(): JobListed[]
  /** Starts running jobs by their timetable. A process without the role `worker` never calls it. */
  start(): Promise<void>
  stop(): Promise<void>
}
