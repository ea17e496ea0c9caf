"""A slow model of a buffer, written from the description of its index rules: a list, and loops."""


class Model:
    def __init__(self, items, lookback):
        self.items, self.lookback = list(items), lookback

    def one(self, i, neg_index_as_lookback, fill):
        """Index 0 is the first item after the lookback; a negative one counts from the end, or from index 0."""
        at = i + (len(self.items) if i < 0 and not neg_index_as_lookback else self.lookback)
        if 0 <= at < len(self.items):
            return self.items[at]
        if fill is None:
            raise IndexError(i)
        return fill

    def slice(self, start, stop, step, neg_index_as_lookback, fill):
        base = self.lookback if neg_index_as_lookback else len(self.items)
        start = self.lookback if start is None else start + (self.lookback if start >= 0 else base)
        stop = len(self.items) if stop is None else stop + (self.lookback if stop >= 0 else base)
        end = len(self.items)
        if fill is not None and start < 0 and stop < 0:  # wholly before what is stored
            return [fill] * abs(start - stop)
        if fill is not None and start >= end and stop >= end:  # wholly after it
            return [fill] * abs(start - stop)
        found = []
        if step > 0:
            at = max(start, 0)
            while at < min(stop, end):
                found.append(self.items[at])
                at += step
        else:
            at = min(start, end - 1)
            while at > max(stop, -1):
                found.append(self.items[at])
                at += step
        if fill is None:
            return found
        before = after = 0
        if start < 0:
            before = -start
            after = max(stop - end, 0) if step > 0 else 0
        elif stop >= end:
            after = stop - end
        elif stop < 0:
            after = -stop - 1
            before = max(start - end + 1, 0)
        return [fill] * before + found + [fill] * after
