/** A pause that an event may end early. */

export interface Pause {
  /** Resolves after this time, or when it is ended. One at a time. */
  begin: (ms: number) => Promise<void>;
  /** Does nothing while there is no pause. */
  end: () => void;
}

export function createPause(): Pause {
  let end = () => {};
  return {
    begin: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => end(),
  };
}
