//! What a GPU is: limits, matrix shapes, PTX versions. Plain data.
