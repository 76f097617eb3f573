export type UserId = number
